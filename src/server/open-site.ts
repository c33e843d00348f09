// Applies the site file at the start. A file that cannot be applied must not take everything down at a restart: the server
// then runs with the settings in the database, and raises an alarm until a file has been applied.
import { readFileSync } from 'node:fs';
import type { App } from '#app/app.ts';
import { unavailableError } from '#app/health/database.ts';
import { applySite } from '#app/site/apply.ts';
import { readSite } from '#app/site/file.ts';
import { clearSiteProblem, recordSiteProblem } from '#app/site/file-problem.ts';
import type { Reference } from '#app/site/secrets.ts';
import { loadSiteSettings, type SiteSettings } from '#app/site/settings.ts';
import { isAppliedFile } from '#app/site/unchanged.ts';

export async function openSite(app: App, file: string): Promise<SiteSettings> {
  const { queries } = app.store;
  try {
    const text = readSiteText(file);
    if (!(await isAppliedFile(app, text))) {
      const references: Reference[] = [];
      await applySite(app, readSite(text, file, app.secrets, references), { text, references });
    }
    await clearSiteProblem(queries);
    return (await loadSiteSettings(app, queries))!;
  } catch (error) {
    // The file may be fine if the database has failed.
    const stored = unavailableError(error) === undefined ? await loadSiteSettings(app, queries) : undefined;
    if (stored === undefined) throw error;
    await recordSiteProblem(app, error as Error);
    app.log.error({ err: error, file }, 'the site file cannot be applied; running with the last one that was applied');
    return stored;
  }
}

function readSiteText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const message = `The site file ${file} does not exist. Correct HOSTYARD_SITE or create the file.`;
    throw new Error(message, { cause: error });
  }
}
