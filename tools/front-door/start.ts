import { enableCompileCache } from 'node:module';
import './end-with-parent.ts';
import { compiledDir } from './compiled-dir.ts';

/** `npm start`: runs the server in this process, so that one signal ends everything and its exit code is ours. */
enableCompileCache(compiledDir);
await import('@voltdeck/server/main');
