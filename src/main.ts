// Where the server begins: `npm start`.
import { keepTickShape } from '#kernel/tick-shape.ts';

keepTickShape();
const [{ serve }, { readConfig }] = await Promise.all([import('#admin/serve.ts'), import('#kernel/config.ts')]);

try {
  await serve(readConfig(process.env));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
