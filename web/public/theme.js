// Sets the theme before the first paint, so that the page does not flash.
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
