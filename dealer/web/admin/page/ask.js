// A dialog for each question, so that Escape, Tab and screen readers work as everywhere.
import { make } from "/dom.js";

/** Ask a question; true or, with a field, its text if the answer is yes, else null. */
export function ask(question, yes, field = null) {
  return new Promise((resolve) => {
    const form = make("form", { method: "dialog" }, make("p", { id: "question" }, question));
    const input = field && make("input", { required: "", maxlength: "200", autocomplete: "off", value: field.value ?? "" });
    if (input) form.append(make("label", {}, `${field.label} `, input));
    const cancel = make("button", { type: "button" }, "Cancel");
    const agree = make("button", { value: "yes", class: "main" }, yes);
    form.append(make("div", { class: "row" }, agree, cancel));
    const dialog = make("dialog", { "aria-labelledby": "question" }, form);
    cancel.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes" ? (input ? input.value : true) : null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
