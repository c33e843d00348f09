// The audit log: who changed what, from where, and what came of it. It is read on as far back as somebody scrolls.
import { Card, Code, Group, Switch, Table, Text, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { AuditEntry } from '#sdk/v2.ts';
import { usePages } from '../data/pages.ts';
import { useRead } from '../data/read.ts';
import { useRefusal } from '../data/who.ts';
import { Awaited, Empty, Failed } from '../parts/answer.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { ReadOn } from '../parts/read-on.tsx';
import { StateBadge } from '../parts/state.tsx';
import { TableCard } from '../parts/table-card.tsx';
import { Icon } from '../shell/icons.tsx';

const columns = ['When', 'Who', 'What', 'To', 'From', 'Outcome'];

export function AuditPage(): JSX.Element {
  const pages = usePages('auditGet', {});
  const [words, setWords] = useState('');
  const [isRefusedOnly, setRefusedOnly] = useState(false);
  const whoOf = useNames();
  const entries = pages.data?.pages.flat() ?? [];
  const shown = entries.filter(
    (entry) =>
      (!isRefusedOnly || entry.outcome !== 'success') &&
      textOf(entry, whoOf(entry)).includes(words.trim().toLowerCase()),
  );
  return (
    <Page title="Audit log" about="Every change to this account: who made it, from where, and what came of it.">
      <Group>
        <TextInput
          aria-label="Filter the audit log"
          placeholder="Filter: a name, an operation, an address…"
          leftSection={<Icon name="search" size={16} />}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
          w={{ base: '100%', xs: 340 }}
        />
        <Switch
          label="Only what was refused"
          checked={isRefusedOnly}
          onChange={(event) => setRefusedOnly(event.currentTarget.checked)}
        />
      </Group>
      {pages.isError && <Failed error={pages.error} again={() => void pages.refetch()} />}
      {pages.isPending && <Awaited lines={10} />}
      {pages.data !== undefined && shown.length === 0 && (
        <Card>
          <Empty icon="audit" title={entries.length === 0 ? 'Nothing was changed yet' : 'Nothing fits the filter'}>
            {entries.length === 0
              ? 'Every change that somebody makes will stand here.'
              : 'Older entries are looked at as they are read.'}
          </Empty>
        </Card>
      )}
      {shown.length > 0 && (
        <TableCard label="Audit log" columns={columns} minWidth={900}>
          {shown.map((entry) => (
            <Row key={entry.id} of={entry} who={whoOf(entry)} />
          ))}
        </TableCard>
      )}
      {pages.data !== undefined && entries.length > 0 && <ReadOn of={pages} />}
    </Page>
  );
}

function textOf(entry: AuditEntry, who: Who): string {
  return [who.name, who.by, entry.operation, entry.target, entry.address, entry.outcome, entry.requestid]
    .join(' ')
    .toLowerCase();
}

function Row({ of: entry, who }: { of: AuditEntry; who: Who }): JSX.Element {
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        <Moment at={entry.time} />
      </Table.Td>
      <Table.Td>
        <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
          {who.name}
        </Text>
        {who.by !== '' && (
          <Text size="xs" c="dimmed">
            {who.by}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Code>{entry.operation}</Code>
      </Table.Td>
      <Table.Td className="wrap-anywhere">
        <Text size="sm" ff="monospace">
          {entry.target}
        </Text>
      </Table.Td>
      <Table.Td>
        <Text size="sm" ff="monospace">
          {entry.address}
        </Text>
      </Table.Td>
      <Table.Td>
        {entry.outcome === 'success' ? (
          <StateBadge state="Success" />
        ) : (
          <>
            <StateBadge state="Refused" />
            <Text size="xs" c="dimmed">
              {entry.outcome}
            </Text>
          </>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

interface Who {
  readonly name: string;
  /** With which key. */
  readonly by: string;
}

/** The names of people and keys where one may see them, else their numbers. */
function useNames(): (entry: AuditEntry) => Who {
  const refusal = useRefusal();
  const contacts = useRead('contactGet', {}, { enabled: refusal('account:read') === undefined });
  const keys = useRead('keyGet', {}, { enabled: refusal('account:keys') === undefined });
  const self = useRead('sessionGet', {});
  return (entry) => {
    if (entry.operator !== '') return { name: `Staff: ${entry.operator}`, by: '' };
    const key = keys.data?.find(({ id }) => id === entry.key)?.name;
    const by = key !== undefined ? `Key ${key}` : entry.key === '' ? '' : `Key ${entry.key}`;
    if (entry.contact === '') return { name: self.data?.contact === '' ? self.data.name : 'The account', by };
    const contact = contacts.data?.find(({ id }) => id === entry.contact);
    return {
      name: contact === undefined ? `Contact ${entry.contact}` : `${contact.firstname} ${contact.lastname}`,
      by,
    };
  };
}
