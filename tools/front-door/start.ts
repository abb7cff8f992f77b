import { enableCompileCache } from 'node:module';
import './end-with-parent.ts';
import { compiledDir } from './compiled-dir.ts';

/** `npm start`: the server in this very process, so that one signal ends everything and its exit code is the answer. */
enableCompileCache(compiledDir);
await import('@voltdeck/server/main');
