import './end-with-parent.ts';

/** `npm start`: the server in this very process, so that one signal ends everything and its exit code is the answer. */
await import('@voltdeck/server/main');
