// The audit log of the account. Older entries are loaded while scrolling.
import { Group, Switch } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { AuditEntry } from '#sdk/v2.ts';
import { usePages } from '../data/pages.ts';
import { useRead } from '../data/operations.ts';
import { useScopeDenial } from '../data/identity.ts';
import { auditSentence } from '../parts/audit-sentences.ts';
import { isFailedSignIn, withoutFinishedStarts } from '../parts/audit-entries.ts';
import { AuditResult, isFailure } from '../parts/audit-result.tsx';
import { Dimmed } from '../parts/dimmed.tsx';
import { FilterInput } from '../parts/filter-input.tsx';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { changeLabel, spellOut, targetLabel } from '#text/operation-labels.ts';
import { Page } from '../parts/page.tsx';
import { RawDetails } from '../parts/raw-details.tsx';
import { LoadOlder } from '../parts/load-older.tsx';
import { TableCard, type Column } from '../parts/table-card.tsx';
import { t } from '../text/text.ts';
import { personName, useThingNames } from './names.ts';

interface Entry extends AuditEntry {
  readonly actor: Actor;
  readonly sentence: string;
  /** As recorded. */
  readonly entry: AuditEntry;
}
const columns: readonly Column<Entry>[] = [
  { label: t('Time'), isOneLine: true, cell: ({ time }) => <Timestamp at={time} /> },
  {
    label: t('What happened'),
    className: 'wrap-anywhere',
    cell: ({ actor, sentence }) => (
      <>
        {sentence}
        {actor.key !== '' && <Dimmed size="xs">{actor.key}</Dimmed>}
      </>
    ),
  },
  { label: t('From'), ff: 'monospace', isOneLine: true, cell: ({ address }) => address },
  { label: t('Result'), cell: ({ outcome }) => <AuditResult outcome={outcome} /> },
  {
    label: t('More'),
    width: 1,
    cell: ({ sentence, entry }) => <RawDetails title={sentence} details={entry} />,
  },
];

export function AuditPage(): JSX.Element {
  const log = usePages('auditGet', {});
  const [query, setQuery] = useState('');
  const [isFailedOnly, setFailedOnly] = useState(false);
  const findActor = useActors();
  const nameOf = useThingNames();
  const describe = (entry: AuditEntry): Entry => {
    const actor = findActor(entry);
    const text = auditSentence(entry, actor.name, nameOf) ?? `${actor.name}: ${changeLabel(entry.operation)}`;
    const sentence = isFailure(entry.outcome) ? t('Failed attempt: {text}', { text }) : text;
    return { ...entry, actor, sentence, entry };
  };
  const matches = (entry: Entry): boolean =>
    (!isFailedOnly || isFailure(entry.outcome)) && searchText(entry).includes(query.trim().toLowerCase());
  return (
    <Page
      title={t('Audit log')}
      description={t('Every change to this account: who made it, from where, and the result')}
    >
      <Group>
        <FilterInput
          label={t('Filter audit log')}
          placeholder={t('Name, server, zone or IP address')}
          value={query}
          onChange={setQuery}
        />
        <Switch
          label={t('Failed only')}
          checked={isFailedOnly}
          onChange={(event) => setFailedOnly(event.currentTarget.checked)}
        />
      </Group>
      <QueryResult query={log} lines={10} shape="table" empty={noChanges}>
        {(all) => {
          const rows = withoutFinishedStarts(all)
            .map((entry) => describe(entry))
            .filter(matches);
          return (
            <>
              {rows.length === 0 ? (
                noMatches
              ) : (
                <TableCard
                  label={t('Audit log')}
                  columns={columns}
                  rows={rows}
                  rowKey={({ id }) => id}
                  minWidth={900}
                />
              )}
              <LoadOlder query={log} />
            </>
          );
        }}
      </QueryResult>
    </Page>
  );
}

const noChanges = (
  <EmptyCard icon="audit" title={t('No changes yet')}>
    {t('Changes to the account appear here.')}
  </EmptyCard>
);
const noMatches = (
  <EmptyCard icon="audit" title={t('No entries match')}>
    {t('Load older entries to search further back.')}
  </EmptyCard>
);

function searchText({ actor, sentence, operation, target, address, outcome, requestid }: Entry): string {
  const texts = [sentence, actor.key, changeLabel(operation), targetLabel(target), address, spellOut(outcome)];
  return [...texts, requestid].join(' ').toLowerCase();
}

interface Actor {
  readonly name: string;
  /** The API key that was used, or whom a person claimed to be. */
  readonly key: string;
}

/** Returns the names of people and keys, or their IDs if the user may not see them. */
function useActors(): (entry: AuditEntry) => Actor {
  const scopeDenial = useScopeDenial();
  const contacts = useRead('contactGet', {}, { enabled: scopeDenial('account:read') === undefined });
  const keys = useRead('keyGet', {}, { enabled: scopeDenial('account:keys') === undefined });
  const self = useRead('sessionGet', {});
  return (entry) => {
    if (entry.operator !== '') return { name: t('{operator} (support)', { operator: entry.operator }), key: '' };
    // Keys of sessions are not listed, and have no name.
    const keyName = keys.data === undefined ? entry.key : (keys.data.find(({ id }) => id === entry.key)?.name ?? '');
    const key = keyName === '' ? '' : t('Key {name}', { name: keyName });
    const name = nameOf(entry.contact);
    return isFailedSignIn(entry) ? { name: t('Someone'), key: t('Not signed in, as {name}', { name }) } : { name, key };
  };

  function nameOf(contact: string): string {
    if (contact === '') return self.data?.contact === '' ? self.data.name : t('Account owner');
    return personName(contacts.data, contact) ?? t('Contact {contact}', { contact });
  }
}
