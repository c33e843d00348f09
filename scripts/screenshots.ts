// Takes a screenshot of every page of the panel into golden/panel, or with --check compares the pages with those and
// writes what differs into out/screenshots/index.html. docs/decisions/golden-screenshots.md says when to run it.
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareImages } from '../test/support/compare-images.ts';
import { openPhotographer } from '../test/support/panel-screenshots.ts';

const root = join(import.meta.dirname, '..');
const golden = join(root, 'golden', 'panel');
const report = join(root, 'out', 'screenshots');
const writerFile = join(golden, 'chromium.txt');

interface Difference {
  readonly name: string;
  readonly problem: string;
  readonly before?: Buffer;
  readonly after?: Buffer;
  readonly difference?: string;
}

/** Returns true if golden/panel has screenshots to compare with. */
export function hasScreenshots(): boolean {
  return existsSync(writerFile);
}

/** Keeps a screenshot if the page still looks the same, so that a commit shows only what has changed. Returns the bytes written. */
export async function writeScreenshots(): Promise<number> {
  await using photographer = await openPhotographer();
  await using visit = await photographer.panel.visit();
  mkdirSync(golden, { recursive: true });
  let bytes = 0;
  const gone = new Set(globSync('*.webp', { cwd: golden }));
  for await (const { name, image } of photographer.takeAll()) {
    const file = `${name}.webp`;
    if (gone.delete(file) && (await compareImages(visit.page, readFileSync(join(golden, file)), image)).isEqual)
      continue;
    writeFileSync(join(golden, file), image);
    bytes += image.length;
  }
  for (const file of gone) rmSync(join(golden, file));
  writeFileSync(writerFile, `${photographer.chromium}\n`);
  return bytes;
}

/** Returns what differs, in words; nothing if all pages look as they did. */
export async function checkScreenshots(): Promise<string[]> {
  await using photographer = await openPhotographer();
  await using visit = await photographer.panel.visit();
  const differences: Difference[] = [];
  const missing = new Set(globSync('*.webp', { cwd: golden }).map((file) => file.slice(0, -'.webp'.length)));
  for await (const { name, image } of photographer.takeAll()) {
    if (!missing.delete(name)) {
      differences.push({ name, problem: 'is new', after: image });
      continue;
    }
    const before = readFileSync(join(golden, `${name}.webp`));
    const { isEqual, differingBlocks, difference } = await compareImages(visit.page, before, image);
    if (!isEqual)
      differences.push({ name, problem: `differs in ${differingBlocks} blocks`, before, after: image, difference });
  }
  for (const name of missing)
    differences.push({ name, problem: 'is gone', before: readFileSync(join(golden, `${name}.webp`)) });
  if (differences.length === 0) return [];
  writeReport(differences);
  const writer = readFileSync(writerFile, 'utf8').trim();
  const isOther = writer !== photographer.chromium;
  return [
    ...differences.map(({ name, problem }) => `${name} ${problem}`),
    `See ${join(report, 'index.html')}. If all of it is intended, run npm run screenshots.`,
    ...(isOther
      ? [`Chromium ${writer} wrote the screenshots, and this is ${photographer.chromium}: fonts may look different.`]
      : []),
  ];
}

function writeReport(differences: readonly Difference[]): void {
  const url = (image: Buffer | undefined): string =>
    image === undefined ? 'data:,' : `data:image/webp;base64,${image.toString('base64')}`;
  const rows = differences.map(
    ({ name, problem, before, after, difference = 'data:,' }) =>
      `<h2>${name} ${problem}</h2><div>${[url(before), url(after), difference].map((each) => `<img src="${each}" alt="">`).join('')}</div>`,
  );
  const style = 'body { font: 14px sans-serif } div { display: flex; gap: 8px } img { width: 32%; border: 1px solid }';
  mkdirSync(report, { recursive: true });
  writeFileSync(
    join(report, 'index.html'),
    `<!doctype html><title>Screenshots</title><style>${style}</style><h1>Before, after, difference</h1>${rows.join('')}`,
  );
}

if (import.meta.main) {
  if (process.argv.includes('--check')) {
    const problems = await checkScreenshots();
    for (const problem of problems) console.error(problem);
    process.exitCode = problems.length === 0 ? 0 : 1;
  } else console.log(`${((await writeScreenshots()) / 1e6).toFixed(1)} MB written to ${golden}`);
}
