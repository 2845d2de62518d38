// What is needed before the page's own script: the theme, so that the page does not flash; the palette's key; and what
// is said where the page cannot be loaded.
(() => {
  let theme = "system";
  try {
    theme = JSON.parse(localStorage.getItem("parley.theme") || "{}").state?.theme || "system";
  } catch {
    // A blocked or broken storage means the default.
  }
  const light =
    theme === "light" || (theme === "system" && matchMedia("(prefers-color-scheme: light)").matches);
  document.documentElement.classList.toggle("light", light);
})();

// Where the page's own script cannot be loaded, nothing else could say so.
addEventListener(
  "error",
  ({ target }) => {
    const root = document.getElementById("root");
    if (!(target instanceof HTMLScriptElement) || !root || root.hasChildNodes()) return;
    const reload = document.createElement("button");
    reload.textContent = "Reload";
    reload.onclick = () => location.reload();
    const text = document.createElement("p");
    text.textContent = "Parley couldn’t be loaded. Check that its server is running, then reload.";
    root.append(text, reload);
    root.style.cssText = "font: 16px system-ui; max-width: 34rem; margin: 20vh auto; padding: 0 1rem";
    root.setAttribute("role", "alert");
  },
  true,
);

// Ctrl+K pressed before the page listens, and what is typed after it: `lib/early-search.ts` takes them over.
addEventListener("keydown", function keep(event) {
  const { dataset } = document.documentElement;
  if (dataset.listening !== undefined) return removeEventListener("keydown", keep);
  // Whoever is in a field, as where no palette is, writes into it.
  if (event.target !== document.body) return;
  const { key, code, shiftKey, altKey } = event;
  const modified = event.ctrlKey || event.metaKey;
  // As `lib/key-position.ts` has it: a keyboard without Latin letters counts by position.
  const isK = key.toLowerCase() === "k" || (code === "KeyK" && !/^[ -~]*$/.test(key));
  if (modified && !shiftKey && !altKey && isK) dataset.search ??= "";
  else if (dataset.search === undefined || modified || altKey) return;
  else if (key === "Escape") delete dataset.search;
  else if (key === "Backspace") dataset.search = dataset.search.slice(0, -1);
  else if (key.length === 1) dataset.search += key;
  else return;
  event.preventDefault();
});
