/**
 * Runs in a page before anything of its own. `globalThis.screenFrames` is what the bench of the big screen asks: the
 * longest time that the page kept a frame from being drawn, by its own long tasks, since the last `begin`.
 */
(() => {
  let longest = 0;
  let count = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      longest = Math.max(longest, duration);
      count += 1;
    }
  }).observe({ type: 'longtask', buffered: false });
  globalThis.screenFrames = {
    begin() {
      longest = 0;
      count = 0;
    },
    seen: () => ({ longestMs: longest, count }),
  };
})();
