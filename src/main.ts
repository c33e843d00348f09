// The entry point of the server: `npm start`. An install imports it to compile its code before the first start.
import { printFailure } from '#lib/journal.ts';
import { openProgramBundle } from '#lib/performance/program-bundle.ts';
import { importQuickly } from '#lib/performance/quick-imports.ts';
import { keepTickShape } from '#lib/performance/tick-shape.ts';

keepTickShape();
importQuickly(openProgramBundle(new URL('../', import.meta.url)));
const [{ serve }, { readConfig }] = await Promise.all([import('#server/serve.ts'), import('#lib/config.ts')]);

if (import.meta.main) {
  try {
    await serve(readConfig(process.env));
  } catch (error) {
    printFailure(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
}
