// Applies the stored theme before the first paint; a classic script, as modules are deferred.
try {
  const theme = localStorage.getItem("theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the theme is that of the system.
}
