// Where the server begins: `npm start`. An install imports it, so that its code too is compiled before the first start.
import { importQuickly } from '#kernel/quick-imports.ts';
import { keepTickShape } from '#kernel/tick-shape.ts';

keepTickShape();
importQuickly();
const [{ serve }, { readConfig }] = await Promise.all([import('#admin/serve.ts'), import('#kernel/config.ts')]);

if (import.meta.main) {
  try {
    await serve(readConfig(process.env));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
