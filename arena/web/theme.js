// Before anything is painted: the theme that was chosen the last time.
"use strict";
try {
  const theme = localStorage.getItem("theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden: then the theme is the system's.
}
