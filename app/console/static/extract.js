// Rows of the form of an extraction: add one, remove one, options for those that have them.
"use strict";
{
  const SELECTS = ["single_select", "multi_select"];
  const fields = document.getElementById("fields");

  document.getElementById("add-field")?.addEventListener("click", () => {
    const row = document.getElementById("new-field").content.firstElementChild.cloneNode(true);
    fields.append(row);
    row.querySelector("input").focus();
  });
  fields?.addEventListener("click", (event) => {
    if (event.target.closest("[data-remove-field]") && fields.children.length > 1) {
      event.target.closest("li").remove();
    }
  });
  fields?.addEventListener("change", (event) => {
    if (event.target.name !== "type") return;
    event.target.closest("li").querySelector(".options").hidden = !SELECTS.includes(event.target.value);
  });
}
