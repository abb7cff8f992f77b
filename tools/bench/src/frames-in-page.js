/**
 * Runs in a page before anything of its own. `globalThis.frames` is what the bench of the map asks: when the first mark
 * was painted, and how long each frame took while the map was dragged.
 */
(() => {
  /** Pixels per frame of a fast hand. */
  const stepPx = 24;
  let paintedMs = null;

  const look = () => {
    if (document.querySelector('.leaflet-marker-icon') === null) {
      requestAnimationFrame(look);
      return;
    }
    // The mark is in the document before this frame is painted; the next frame begins after the paint.
    requestAnimationFrame(() => {
      paintedMs = performance.now();
      document.documentElement.dataset.paintedMs = String(paintedMs);
    });
  };
  requestAnimationFrame(look);

  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

  globalThis.frames = {
    painted: () => paintedMs,
    /** Drags the map there and back. @returns the milliseconds of each frame */
    async drag(dx, dy, steps) {
      const map = document.querySelector('.leaflet-container');
      const { left, top, width, height } = map.getBoundingClientRect();
      let x = left + width / 2 - (dx * stepPx * steps) / 2;
      let y = top + height / 2 - (dy * stepPx * steps) / 2;
      const tell = (type, target, buttons) =>
        target.dispatchEvent(
          new MouseEvent(type, {
            bubbles: true,
            cancelable: true,
            clientX: x,
            clientY: y,
            button: 0,
            buttons,
            view: window,
          }),
        );
      const times = [];
      let before = await nextFrame();
      tell('mousedown', map.querySelector('.leaflet-map-pane') ?? map, 1);
      for (let step = 0; step < steps; step += 1) {
        x += dx * stepPx;
        y += dy * stepPx;
        tell('mousemove', document, 1);
        const now = await nextFrame();
        times.push(now - before);
        before = now;
      }
      tell('mouseup', document, 0);
      // The marks are placed anew at the end of a drag, and the map glides on for a moment.
      for (let step = 0; step < 30; step += 1) {
        const now = await nextFrame();
        times.push(now - before);
        before = now;
      }
      return times;
    },
  };
})();
