// A question whose answer comes word by word; a connection that breaks is resumed.
"use strict";
{
  const ATTEMPTS = 5;
  const form = document.getElementById("ask-form");
  const question = document.getElementById("question");
  const turns = document.getElementById("turns");
  const status = document.getElementById("ask-status");
  const stop = document.getElementById("stop");
  const sendButton = document.getElementById("send");
  const address = form.dataset.ask;
  let going = null;

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!going && question.value.trim()) ask(question.value.trim());
  });
  question.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  turns.lastElementChild?.scrollIntoView({ block: "nearest" });
  stop.addEventListener("click", () => going?.abort());

  async function ask(query) {
    clearError();
    document.getElementById("nothing-asked")?.remove();
    const turn = document.getElementById("new-turn").content.firstElementChild.cloneNode(true);
    turn.querySelector(".question").textContent = query;
    turns.append(turn);
    turn.scrollIntoView({ block: "nearest" });
    going = new AbortController();
    sendButton.disabled = true;
    stop.hidden = false;
    status.textContent = "Searching the documents";
    try {
      const done = await stream(bodyOf(query), turn);
      question.value = "";
      history.replaceState(null, "", `?context=${form.dataset.context}`);
      await htmx.ajax("GET", `/answers/${done.id}`, { target: turn, swap: "outerHTML" });
      status.textContent = "The answer is there";
    } catch (error) {
      if (error.name === "AbortError") status.textContent = "Stopped";
      else showError(error.message);
      end(turn);
    } finally {
      going = null;
      sendButton.disabled = false;
      stop.hidden = true;
      question.focus();
    }
  }

  function bodyOf(query) {
    const longest = Number(form.dataset.longestName);
    return {
      query,
      name: [...query.replace(/\s+/g, " ")].slice(0, longest).join("").trim(),
      context_id: form.dataset.context,
      model: form.elements.model.value,
      advanced_reasoning: form.elements.advanced_reasoning.checked,
    };
  }

  function end(turn) {
    turn.querySelector(".wait")?.remove();
    turn.querySelector(".answer").removeAttribute("aria-busy");
    if (!turn.querySelector(".streamed").textContent) turn.remove();
  }

  // Returns the data of `done`; throws what `error` says.
  async function stream(body, turn) {
    const streamed = turn.querySelector(".streamed");
    let lastId = "";
    for (let attempt = 0; ; ) {
      try {
        const response = await send(address, {
          method: "POST",
          signal: going.signal,
          headers: { "Content-Type": "application/json", ...(lastId && { "Last-Event-ID": lastId }) },
          body: JSON.stringify(body),
        });
        lastId ||= response.headers.get("Last-Event-ID");
        for await (const event of events(response.body)) {
          lastId = event.id || lastId;
          attempt = 0;
          if (event.kind === "done") return event.data;
          if (event.kind === "error") throw new Error(event.data.error);
          turn.querySelector(".wait")?.remove();
          status.textContent = "Answering";
          streamed.append(event.data);
          streamed.parentElement.scrollIntoView({ block: "nearest" });
        }
        throw new TypeError("the stream broke off");
      } catch (error) {
        // Only a network that broke is a TypeError; what the service says is final.
        if (!(error instanceof TypeError) || !lastId || ++attempt > ATTEMPTS) throw error;
        await new Promise((resume) => setTimeout(resume, 200 * 2 ** attempt));
      }
    }
  }

  async function* events(body) {
    let text = "";
    for await (const part of parts(body)) {
      const blocks = (text + part).split("\n\n");
      text = blocks.pop();
      for (const block of blocks) {
        const fields = Object.fromEntries(
          block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
        );
        if (fields.event) yield { id: fields.id, kind: fields.event, data: JSON.parse(fields.data) };
      }
    }
  }

  async function* parts(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  }
}
