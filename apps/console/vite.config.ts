import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Compressing smaller files saves nothing. */
const twinFromBytes = 1024;

/** Writes .br and .gz files beside every text file of the build, so that the server never has to compress. */
export function compressedTwins(): Plugin {
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

/** Code that only an opened form needs, which no list should load. */
const ofForms =
  /@rc-component\/(form|async-validator|color-picker|input-number|mini-decimal|collapse)\/|antd\/es\/(form|radio|input-number|color-picker|collapse|grid)\/|src\/ui\/(FormDrawer|RichTextEditor|editor\/editor\.module|form\/)|contract\/src\/(body-fields|field-faults)/;

/** Calendars: shared by forms and period filters, and not loaded by a list until needed. */
const ofDates =
  /@rc-component\/picker\/|antd\/es\/(date-picker|calendar|time-picker)\/|dayjs\/plugin\/|(SwapRight|ClockCircle)Outlined/;

/** Code that few screens share; no other list should load it. */
const ofFew =
  /src\/(logs|ui\/upload)\/|src\/(api\/upload|ui\/(list-screen\.ts|PictureField|RecordsSelect|Thumbnail|ports\/ports\.module)|content\/content\.module|orders\/(order-acts|order-page\.module|station-bill-rows|words))|ledger\/src\/(account|chart)|charging\/src\/abilities|InboxOutlined|packages\/invoices\/|contract\/src\/(abnormal-orders|adverts|agents|articles|books|cards|customers|dividers|feedbacks|files|flag-evidence|grid-bills|group-members|groups|holdings|invoices|label-formats|list-screens|logs|movements|orders|partner-deliveries|partner-deposits|partner-pulls|partners|payments|pulled-[a-z]+|exposed-[a-z]+|roaming|connection-tests|told-sites|partner-faults|readings|rehearsals|statements|station-commands|statistics|totals|unknown-stations|users)\.ts|(antd\/es|@rc-component)\/(segmented|progress)\//;

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
          // A few chunks instead of a hundred tiny ones. Code shared by forms only stays out of the first list.
          groups: [
            { name: 'base', tags: ['$initial'], priority: 3 },
            // Else the forms would take it along, and every page loads it.
            { name: 'words', priority: 3, test: /src\/words\.ts$/ },
            {
              name: 'kit',
              minShareCount: 5,
              priority: 2,
              test: (id) => ![ofForms, ofDates, ofFew].some((few) => few.test(id)),
            },
            { name: 'forms', minShareCount: 2, priority: 1, test: ofForms },
            { name: 'dates', minShareCount: 2, priority: 2, test: ofDates },
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
