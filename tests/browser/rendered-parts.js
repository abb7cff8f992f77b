/**
 * Runs in a page before anything of its own: counts the components that React renders in each part of the frame. React
 * tells every commit to the hook of its developer tools, in production builds too. `globalThis.renderedParts` is what
 * the test asks.
 */
(() => {
  /** React's mark of a component that was called, in contrast to one that was passed by (ReactFiberFlags). */
  const performedWork = 1;
  /** @type {Record<string, number>} */
  let rendered = {};

  /** The element that begins a part of the frame. */
  function partOf(fiber, outer) {
    const { type, memoizedProps: props } = fiber;
    if (outer === 'pages') return outer;
    if (type === 'aside') return 'sidebar';
    if (type === 'header') return 'top bar';
    if (type === 'main') return 'pages';
    if (type === 'nav' && outer === 'frame') return 'tab bar';
    if (type === 'nav' && outer === 'top bar' && props.className?.includes('crumbs')) return 'crumbs';
    return outer;
  }

  function count(fiber, outer) {
    const part = partOf(fiber, outer);
    if (typeof fiber.type !== 'string' && fiber.type !== null && (fiber.flags & performedWork) !== 0) {
      rendered[part] = (rendered[part] ?? 0) + 1;
    }
    if (fiber.alternate !== null && fiber.alternate.child === fiber.child) return;
    for (let child = fiber.child; child !== null; child = child.sibling) count(child, part);
  }

  globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberRoot: (_renderer, root) => count(root.current, 'frame'),
    onPostCommitFiberRoot() {},
    onCommitFiberUnmount() {},
  };

  globalThis.renderedParts = {
    begin() {
      rendered = {};
    },
    /** How many components of each part were rendered since. */
    end: () => rendered,
  };
})();
