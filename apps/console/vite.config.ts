import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Below this a compressed twin saves nothing. */
const twinFromBytes = 1024;

/** Writes .br and .gz beside every text file of the build, so that the server never compresses while somebody waits. */
function compressedTwins(): Plugin {
  return {
    name: 'compressed-twins',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (!/\.(js|css|svg|json)$/.test(file.fileName)) continue;
          const source = Buffer.from(file.type === 'chunk' ? file.code : file.source);
          if (source.length < twinFromBytes) continue;
          const brotli = brotliCompressSync(source, {
            params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: source.length },
          });
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: brotli });
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gzipSync(source, { level: 9 }) });
        }
      },
    },
  };
}

/** What only an opened form needs: however many forms there are, no list waits for it. */
const ofForms =
  /@rc-component\/(form|async-validator|color-picker|input-number|mini-decimal|collapse)\/|antd\/es\/(form|radio|input-number|color-picker|collapse|grid)\/|src\/ui\/FormDrawer/;

/** What the log screens share with each other, and what few screens have: no other list waits for it either. */
const ofFew = /src\/logs\/|(antd\/es|@rc-component)\/segmented\//;

export default defineConfig({
  plugins: [react(), compressedTwins()],
  build: {
    target: 'es2023',
    manifest: true,
    cssCodeSplit: true,
    // Inlined pictures would be data: addresses inside scripts; files are cached on their own.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Few chunks instead of a hundred crumbs. What only forms share stays out of the first list's way.
          groups: [
            { name: 'base', tags: ['$initial'], priority: 3 },
            { name: 'kit', minShareCount: 5, priority: 2, test: (id) => !ofForms.test(id) && !ofFew.test(id) },
            { name: 'forms', minShareCount: 2, priority: 1, test: ofForms },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: {
      '/api': { target: `http://127.0.0.1:${process.env.PORT ?? 8080}` },
      '/files': { target: `http://127.0.0.1:${process.env.PORT ?? 8080}` },
    },
  },
});
