// Problems that the reader of site files reports.
import assert from 'node:assert/strict';
import { readSite, SiteError } from '#app/site/file.ts';

/** Returns `line:column message` for each problem; none if the site file is valid. */
export function siteProblems(text: string): string[] {
  try {
    readSite(text, 'site.yaml');
    return [];
  } catch (error) {
    assert.ok(error instanceof SiteError, String(error));
    return error.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
  }
}
