// Builds the panel into out/panel and the script of the API reference into out/reference, and compresses every file,
// because the server sends them as they are. Runs on install (npm ci) unless the development dependencies were omitted,
// and with `npm run panel`; `-- --watch` rebuilds the panel on every change.
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { HtmlTagDescriptor, Plugin } from 'vite';

const root = join(import.meta.dirname, '..');
const out = { panel: join(root, 'out', 'panel'), reference: join(root, 'out', 'reference') };
const isWatching = process.argv.includes('--watch');

if (!existsSync(join(root, 'node_modules', 'vite'))) {
  console.error('The panel and the API reference were not built: their development dependencies are not installed.');
  process.exit(0);
}
const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')]);

await build({
  configFile: false,
  root: join(root, 'src', 'panel'),
  base: '/panel/',
  publicDir: false,
  logLevel: 'warn',
  plugins: [react(), preloadApp()],
  build: {
    outDir: out.panel,
    emptyOutDir: true,
    target: 'es2022',
    // Browsers that support light-dark(): its fallback ignores Mantine's color scheme.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    // Preloads with links only: the content security policy forbids the inline script of the polyfill.
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    ...(isWatching ? { watch: {} } : {}),
  },
});

// For each install, this takes a tenth of the CPU time of the highest quality. The first view is 2% larger than with that, the rest 8%.
const firstView = readFileSync(join(out.panel, 'index.html'), 'utf8');
compress(out.panel, (file) => (firstView.includes(file) ? 10 : 8));
await writeReferenceScript();
compress(out.reference, () => 5);

/**
 * Lets the page load the panel's modules and styles together with its entry, which imports them only after it has
 * loaded the language.
 */
function preloadApp(): Plugin {
  return {
    name: 'preload-app',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = new Map(
          Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])),
        );
        const app = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId?.endsWith('/src/panel/app.tsx'));
        if (app === undefined) throw new Error('The panel has no chunk of app.tsx');
        const modules = new Set([app.fileName]);
        // A set also visits what is added while it is iterated.
        for (const name of modules) for (const imported of chunks.get(name)?.imports ?? []) modules.add(imported);
        const styles = new Set(
          [...modules].flatMap((name) => [...(chunks.get(name)?.viteMetadata?.importedCss ?? [])]),
        );
        return [
          ...[...modules].map((name) => link('modulepreload', name)),
          ...[...styles].map((name) => link('stylesheet', name)),
        ].filter(({ attrs }) => !html.includes(attrs.href));
      },
    },
  };
}

function link(rel: string, file: string): HtmlTagDescriptor & { attrs: { href: string } } {
  return { tag: 'link', attrs: { rel, crossorigin: true, href: `/panel/${file}` }, injectTo: 'head' };
}

/** The package serves its script but has no file of it. */
async function writeReferenceScript(): Promise<void> {
  const [{ default: fastify }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ]);
  const server = fastify();
  await server.register(scalar, { routePrefix: '/docs', configuration: { sources: [] } });
  const { statusCode, body } = await server.inject('/docs/js/scalar.js');
  await server.close();
  if (statusCode !== 200) throw new Error(`The reference package returned ${statusCode} for its script`);
  mkdirSync(out.reference, { recursive: true });
  writeFileSync(join(out.reference, 'scalar.js'), body);
}

function compress(folder: string, qualityOf: (file: string) => number): void {
  for (const file of globSync('**/*.{js,css,html,svg}', { cwd: folder })) {
    const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: qualityOf(file) } };
    const bytes = readFileSync(join(folder, file));
    writeFileSync(join(folder, `${file}.gz`), gzipSync(bytes, { level: 9 }));
    writeFileSync(join(folder, `${file}.br`), brotliCompressSync(bytes, brotli));
  }
}
