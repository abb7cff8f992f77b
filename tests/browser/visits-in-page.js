/**
 * Runs in a page before anything of its own: times what follows a click, to the frame that first shows a screen's rows,
 * or that there are none. `globalThis.visits` is what the walk asks.
 */
(() => {
  /** @type {Promise<number> | null} */
  let painted = null;

  /** The page in sight. */
  const pageShown = () =>
    [...document.querySelectorAll('main section[aria-label]')].find((each) => each.checkVisibility());

  /** The address changes before the page does: what was in sight before the click is not what was asked for. */
  function shows(path, former) {
    if (location.pathname !== path) return false;
    const page = pageShown();
    if (page === undefined || page === former || page.querySelector('h1') === null) return false;
    return ![...page.querySelectorAll('[aria-busy="true"], .ant-skeleton')].some((each) => each.checkVisibility());
  }

  function time(path, beganMs, tell) {
    const former = pageShown();
    const look = () => {
      if (!shows(path, former)) {
        requestAnimationFrame(look);
        return;
      }
      // A message sent from a frame arrives when it has been painted.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => tell(performance.now() - beganMs);
      port2.postMessage(null);
    };
    requestAnimationFrame(look);
  }

  globalThis.visits = {
    begin(path) {
      painted = new Promise((tell) => {
        addEventListener('click', (event) => time(path, event.timeStamp, tell), { once: true, capture: true });
      });
    },
    /** The milliseconds from the click until the screen was painted. */
    painted: () => painted,
  };
})();
