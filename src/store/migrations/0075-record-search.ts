// Indexes of the records of a zone by the beginning of their names and contents. Also empties `serial_history`, which the
// code of this release no longer uses, so that the next one can drop it.
import type { Migration } from './migration.ts';

/** Characters of a content that are indexed. */
export const searchedContentLength = 64;
/** Part of the index and of the query, so that databases recognize it. Text is searched without its quotation mark. */
export const searchedContent = `lower(ltrim(substr(content, 1, ${searchedContentLength}), '"'))`;

export const recordSearch: Migration = {
  name: '0075-record-search',
  statements: (_, engine) => {
    const order = engine === 'postgres' ? ' collate "C"' : '';
    return [
      `create index records_by_name_prefix on records (zone_id, name${order}, id)`,
      `create index records_by_content_prefix on records (zone_id, ${searchedContent}${order}, id)`,
      'delete from serial_history',
    ];
  },
  removes: { 'delete from serial_history': { harmless: 'Nothing has written it since 0036-background-work.' } },
};
