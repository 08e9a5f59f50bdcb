// Uploads: many files dropped or chosen, a few at a time, each with its progress.
"use strict";
{
  const AT_ONCE = 3;
  const zone = document.getElementById("dropzone");
  const list = document.getElementById("uploads");
  const status = document.getElementById("upload-status");
  const waiting = [];
  let going = 0;

  function add(files) {
    clearError();
    for (const file of files) waiting.push({ file, ...newRow(file.name) });
    for (let n = going; n < AT_ONCE; n++) next();
  }

  function newRow(name) {
    const row = document.createElement("li");
    const label = document.createElement("span");
    label.className = "clip";
    label.textContent = name;
    const bar = document.createElement("progress");
    bar.max = 1;
    bar.value = 0;
    bar.setAttribute("aria-label", `Upload of ${name}`);
    row.append(label, bar);
    list.append(row);
    return { row, bar };
  }

  function next() {
    const upload = waiting.shift();
    if (!upload) return;
    going++;
    const form = new FormData();
    form.append("file", upload.file);
    // Not fetch, which does not tell how far an upload is.
    const request = new XMLHttpRequest();
    request.open("POST", zone.dataset.upload);
    request.setRequestHeader("X-CSRF-Token", csrfToken);
    request.setRequestHeader("Accept", "application/json");
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) upload.bar.value = event.loaded / event.total;
    };
    request.onload = () => ended(upload, request.status === 201 ? "" : refusal(request));
    request.onerror = () => ended(upload, "The connection broke. Try again.");
    request.send(form);
  }

  function refusal(request) {
    try {
      return JSON.parse(request.responseText).error;
    } catch {
      return `The service answered with ${request.status}.`;
    }
  }

  function ended(upload, error) {
    going--;
    if (error) {
      upload.bar.remove();
      const why = document.createElement("span");
      why.className = "alert bad";
      why.textContent = error;
      upload.row.append(why);
      status.textContent = `${upload.file.name}: ${error}`;
    } else {
      upload.row.remove();
      status.textContent = `${upload.file.name} is uploaded`;
    }
    next();
    const documents = document.getElementById("documents");
    htmx.ajax("GET", documents.dataset.refresh, { target: "#documents", swap: "outerHTML" });
  }

  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    add(event.dataTransfer.files);
  });

  const input = document.getElementById("files");
  function takeChosen() {
    add(input.files);
    input.value = "";
  }
  input.addEventListener("change", takeChosen);
  if (input.files.length) takeChosen(); // They were chosen before this script was loaded.
}
