// Builds the panel into out/panel, with every file compressed beside itself: the server sends it as it lies there. An install runs
// it (npm ci), unless it left out what the panel is built of; `npm run panel` does it again, with `-- --watch` at every change.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = join(import.meta.dirname, '..');
const out = join(root, 'out', 'panel');
const isWatching = process.argv.includes('--watch');

if (!existsSync(join(root, 'node_modules', 'vite'))) {
  console.error('The panel is not built: this install left out what it is built of.');
  process.exit(0);
}
const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')]);

await build({
  configFile: false,
  root: join(root, 'src', 'panel'),
  base: '/panel/',
  publicDir: false,
  logLevel: 'warn',
  plugins: [react()],
  build: {
    outDir: out,
    emptyOutDir: true,
    target: 'es2022',
    // Browsers that know light-dark(): what would stand in for it does not follow Mantine's choice.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    // What is loaded ahead of its time is loaded by links, not by a script in the page: the policy forbids those.
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    ...(isWatching ? { watch: {} } : {}),
  },
});

for (const file of globSync('**/*.{js,css,html,svg}', { cwd: out })) {
  const bytes = readFileSync(join(out, file));
  writeFileSync(join(out, `${file}.gz`), gzipSync(bytes, { level: 9 }));
  // The best there is: it is done once, and the first view must stay small.
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  writeFileSync(join(out, `${file}.br`), brotliCompressSync(bytes, quality));
}
