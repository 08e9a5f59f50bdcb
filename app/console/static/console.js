// What all pages share: dialogs, copying, the theme, local times, and errors of htmx.
"use strict";

const csrfToken = document.querySelector('meta[name="csrf-token"]').content;

function showError(message) {
  const paragraph = document.createElement("p");
  paragraph.className = "alert bad";
  paragraph.textContent = message;
  document.getElementById("notice").replaceChildren(paragraph);
}

function clearError() {
  document.getElementById("notice").replaceChildren();
}

// A request of this page's own scripts; an error of the service becomes an Error with its message.
async function send(address, options = {}) {
  const headers = { "X-CSRF-Token": csrfToken, Accept: "application/json", ...options.headers };
  const response = await fetch(address, { ...options, headers });
  if (!response.ok) throw new Error(await messageOf(response));
  return response;
}

async function messageOf(response) {
  try {
    return (await response.json()).error;
  } catch {
    return `The service answered with ${response.status}.`;
  }
}

function putInLocalTime(root) {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  for (const time of root.querySelectorAll("time[datetime]")) {
    time.textContent = format.format(new Date(time.dateTime));
  }
}

function tickStateChanged() {
  for (const button of document.querySelectorAll("[data-needs-tick]")) {
    button.hidden = !button.form.querySelector("input[name=id]:checked");
  }
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

document.addEventListener("click", async (event) => {
  const target = event.target.closest("[data-open], [data-close], [data-copy], [data-theme-switch]");
  if (event.target.matches("dialog")) event.target.close(); // A click beside it.
  if (!target) return;
  if (target.dataset.open) {
    document.querySelector(target.dataset.open).showModal();
  } else if ("close" in target.dataset) {
    target.closest("dialog").close();
  } else if (target.dataset.copy) {
    await navigator.clipboard.writeText(document.querySelector(target.dataset.copy).textContent);
    target.classList.add("done");
    setTimeout(() => target.classList.remove("done"), 1500);
  } else {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    localStorage.setItem("theme", theme);
  }
});

document.addEventListener("click", (event) => {
  const cite = event.target.closest(".prose .cite");
  if (!cite) return;
  const source = cite.closest(".turn").querySelector(`[data-source="${cite.dataset.cite}"]`);
  if (source) source.showModal();
});

document.addEventListener("change", tickStateChanged);

// What pictures tell does not bubble.
document.addEventListener("load", (event) => pictureEnded(event.target), true);
document.addEventListener("error", (event) => pictureEnded(event.target), true);

function pictureEnded(image) {
  if (!image.matches?.(".page-image img")) return;
  const isThere = image.naturalWidth > 0;
  const caption = image.nextElementSibling;
  image.hidden = !isThere;
  caption.hidden = isThere;
  if (!isThere) caption.textContent = "This page cannot be shown as a picture.";
}

let isAway = false;
document.addEventListener("htmx:beforeRequest", (event) => {
  const isRefresh = event.detail.requestConfig.verb === "get";
  // What is refreshed by itself must not take an open dialog away.
  if (isRefresh && event.target.querySelector("dialog[open]")) event.preventDefault();
  if (!isRefresh) clearError();
});

document.addEventListener("htmx:afterRequest", (event) => {
  if (isAway && event.detail.successful) clearError();
  isAway &&= !event.detail.successful;
  event.target.closest("dialog")?.close();
  if (event.detail.successful && event.target.matches("dialog form")) event.target.reset();
});

document.addEventListener("htmx:sendError", () => {
  isAway = true;
  showError("The service does not answer. Is it running?");
});

// A list that is refreshed keeps its ticks, and what the reader had opened stays so.
let ticked = [];
document.addEventListener("htmx:beforeSwap", () => {
  ticked = [...document.querySelectorAll("input[name=id]:checked")].map((box) => box.value);
});
document.addEventListener("htmx:afterSwap", () => {
  for (const box of document.querySelectorAll("input[name=id]")) {
    box.checked ||= ticked.includes(box.value);
  }
  tickStateChanged();
  putInLocalTime(document);
});

document.addEventListener("DOMContentLoaded", () => {
  for (const image of document.querySelectorAll(".page-image img")) {
    if (image.complete && image.loading !== "lazy") pictureEnded(image);
  }
  tickStateChanged();
  putInLocalTime(document);
});
