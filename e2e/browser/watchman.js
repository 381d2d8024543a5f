// Runs in every page before the app: what the browser refuses is told as an
// error of the console, and errors of the console fail the test.
addEventListener("securitypolicyviolation", (e) => {
  console.error(`policy violated: ${e.violatedDirective} by ${e.blockedURI} at ${e.sourceFile}:${e.lineNumber} ${e.sample}`);
});
globalThis.longTasks = [];
new PerformanceObserver((list) => {
  for (const e of list.getEntries()) longTasks.push(Math.round(e.duration));
}).observe({ type: "longtask", buffered: true });
