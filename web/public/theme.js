// Sets the theme before the first paint, so that the page does not flash; says so where the page cannot be loaded.
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
