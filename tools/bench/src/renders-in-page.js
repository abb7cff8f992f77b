/**
 * Runs in a page before anything of its own: counts what React renders and what changes in the document, told apart by
 * place. React tells every commit to the hook of its developer tools, in production builds too. `globalThis.renders` is
 * what the bench asks.
 */
(() => {
  /** React's mark of a component that was called, in contrast to one that was passed by (ReactFiberFlags). */
  const performedWork = 1;
  const nothing = () => ({ rows: 0, list: 0, frame: 0 });

  let title = '';
  let rendered = nothing();
  let changed = nothing();
  let commits = 0;
  let lastCommitMs = 0;
  /** @type {number | null} */
  let paintedAfterMs = null;

  /** The page of the list's tab, or null while there is none. */
  const page = () => document.querySelector(`main section[aria-label="${CSS.escape(title)}"]`);
  const table = () => {
    const found = page()?.querySelector('section table') ?? null;
    return found?.checkVisibility() && found.querySelectorAll('tbody > tr').length >= 100 ? found : null;
  };

  function placeOf(fiber, outer) {
    if (fiber.type === 'section' && fiber.memoizedProps['aria-label'] === title && outer === 'frame') return 'list';
    return fiber.type === 'tbody' && outer === 'list' ? 'rows' : outer;
  }

  /** Only what the commit worked on: where the children are the former ones, nothing below was touched. */
  function count(fiber, outer) {
    const place = placeOf(fiber, outer);
    if (typeof fiber.type !== 'string' && (fiber.flags & performedWork) !== 0) rendered[place] += 1;
    if (fiber.alternate !== null && fiber.alternate.child === fiber.child) return;
    for (let child = fiber.child; child !== null; child = child.sibling) count(child, place);
  }

  globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberRoot(_renderer, root) {
      commits += 1;
      lastCommitMs = performance.now();
      count(root.current, 'frame');
    },
    onPostCommitFiberRoot() {},
    onCommitFiberUnmount() {},
  };

  function note(records) {
    for (const { target } of records) {
      const element = target instanceof Element ? target : target.parentElement;
      const within = page();
      // Hiding and showing a page is its section's own style.
      if (element === within) continue;
      if (within === null || !within.contains(element)) changed.frame += 1;
      else changed[element?.closest('tbody') === null ? 'list' : 'rows'] += 1;
    }
  }
  const observer = new MutationObserver(note);

  /** When the frame is painted that first shows the table, or another one than `former`. */
  function time(beganMs, former) {
    const look = () => {
      const found = table();
      if (found === null || found === former) {
        requestAnimationFrame(look);
        return;
      }
      // A message sent from a frame arrives when it has been painted.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        paintedAfterMs = performance.now() - beganMs;
      };
      port2.postMessage(null);
    };
    requestAnimationFrame(look);
  }

  globalThis.renders = {
    /** Counts from now; the time runs from the next click, or from now when `goTo` is an address; leaving is not timed. */
    begin({ list, goTo, isRebuilt, isLeft }) {
      title = list;
      rendered = nothing();
      changed = nothing();
      commits = 0;
      paintedAfterMs = null;
      lastCommitMs = performance.now();
      observer.disconnect();
      observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
      if (isLeft) {
        paintedAfterMs = 0;
        return;
      }
      const former = isRebuilt ? table() : null;
      if (goTo === undefined) {
        addEventListener('click', (event) => time(event.timeStamp, former), { once: true, capture: true });
        return;
      }
      time(performance.now(), former);
      history.pushState(null, '', goTo);
      dispatchEvent(new PopStateEvent('popstate'));
    },
    /** Whether the table has been painted and React has rested for so long since. */
    isQuiet: (restMs) => paintedAfterMs !== null && performance.now() - lastCommitMs > restMs,
    end() {
      note(observer.takeRecords());
      observer.disconnect();
      return { rendered, changed, commits, paintedAfterMs };
    },
  };
})();
