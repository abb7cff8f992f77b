import { defineConfig } from 'vite';
import { compressedTwins } from './vite.config.ts';

/**
 * The page behind the QR code of a gun port, built apart from the console: a phone at a station loads some kilobytes,
 * and no chunk of the console.
 */
export default defineConfig({
  base: '/charge/',
  publicDir: false,
  plugins: [compressedTwins()],
  build: {
    target: 'es2022',
    outDir: 'dist/charge',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: 'charge.html' },
  },
});
