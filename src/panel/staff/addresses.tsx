// The provider's IP address blocks as a tree, with their assignments and utilization.
import { ActionIcon, Badge, Group, Progress, Text } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useStaffPages } from '../data/staff-pages.ts';
import { Dimmed } from '../parts/dimmed.tsx';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { Page } from '../parts/page.tsx';
import { TableCard, type Column } from '../parts/table-card.tsx';
import { percentText } from '../parts/traffic-units.ts';
import { searchRows, addressTreeRows, visibleRows, type Block, type AddressTreeRow } from './addresses/address-tree.ts';
import { CustomerLink, ServiceLink } from './parts/links.tsx';
import { ShowMore } from './parts/show-more.tsx';
import { SearchBar } from './parts/search-bar.tsx';
import { t } from '../text/text.ts';

const refetchMs = 30_000;
const pageLength = 500;
const poolNames: Readonly<Record<Exclude<Block['pool'], ''>, string>> = {
  assign: t('Pool'),
  ask: t('Pool, on request'),
};

export function AddressesPage(): JSX.Element {
  const blocks = useStaffPages('netblockList', {}, { refetchMs, length: pageLength });
  const [search, setSearch] = useState('');
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const toggle = (cidr: string): void =>
    setFolded((current) =>
      current.has(cidr) ? new Set([...current].filter((other) => other !== cidr)) : new Set([...current, cidr]),
    );
  const columns: readonly Column<AddressTreeRow>[] = [
    {
      label: t('Block'),
      cell: (row) => (
        <BlockName row={row} isFolded={folded.has(row.block.cidr)} toggle={() => toggle(row.block.cidr)} />
      ),
    },
    { label: t('Assigned to'), cell: ({ block }) => <Assignment block={block} /> },
    { label: t('Service'), cell: ({ block }) => <ServiceLink service={block.service} /> },
    { label: t('Used'), width: 180, cell: ({ block }) => block.account === '' && <Utilization block={block} /> },
    {
      label: t('Largest free'),
      ff: 'monospace',
      cell: ({ block }) => block.account === '' && (block.free || t('None')),
    },
    { label: t('Gateway'), ff: 'monospace', cell: ({ block }) => block.gateway },
  ];
  return (
    <Page title={t('IP addresses')} description={t('Address blocks, their assignments and free space')}>
      <SearchBar
        label={t('Search blocks')}
        placeholder={t('Address, customer or service number…')}
        onSearch={setSearch}
      />
      <QueryResult query={blocks} lines={8}>
        {(all) => {
          const rows = searchRows(addressTreeRows(all), search);
          if (rows.length === 0)
            return (
              <EmptyCard icon="address" title={search === '' ? t('No blocks yet') : t('No results')}>
                {search === '' && t('Add address blocks to the site file.')}
              </EmptyCard>
            );
          return (
            <TableCard
              label={t('IP addresses')}
              columns={columns}
              rows={visibleRows(rows, folded)}
              rowKey={({ block }) => block.cidr}
              minWidth={880}
            />
          );
        }}
      </QueryResult>
      {search !== '' && blocks.hasNextPage && (
        <Dimmed>{t('Only the blocks loaded so far are searched. Show more to search the others, too.')}</Dimmed>
      )}
      <ShowMore query={blocks} />
    </Page>
  );
}

interface BlockNameProps {
  readonly row: AddressTreeRow;
  readonly isFolded: boolean;
  readonly toggle: () => void;
}

function BlockName({ row: { block, depth, descendants }, isFolded, toggle }: BlockNameProps): JSX.Element {
  return (
    <Group gap={6} wrap="nowrap" pl={depth * 22}>
      {descendants > 0 ? (
        <ActionIcon
          size="sm"
          variant="subtle"
          color="gray"
          aria-expanded={!isFolded}
          aria-label={
            isFolded
              ? t('Show {count} blocks in {block}', { count: descendants, block: block.cidr })
              : t('Hide {count} blocks in {block}', { count: descendants, block: block.cidr })
          }
          onClick={toggle}
        >
          <span aria-hidden="true">{isFolded ? '▸' : '▾'}</span>
        </ActionIcon>
      ) : (
        <span style={{ width: 22, flex: 'none' }} />
      )}
      <Text size="sm" ff="monospace" fw={block.account === '' ? 600 : 400}>
        {block.cidr}
      </Text>
    </Group>
  );
}

function Assignment({ block: { account, pool } }: { block: Block }): JSX.Element {
  if (account !== '') return <CustomerLink account={account} />;
  if (pool === '') return <>{t('Provider')}</>;
  return (
    <Badge variant="light" color="brand">
      {poolNames[pool]}
    </Badge>
  );
}

function Utilization({ block: { cidr, used } }: { block: Block }): JSX.Element {
  const percent = Number(used);
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress
        value={percent}
        flex={1}
        size="sm"
        color={percent >= 90 ? 'red' : percent >= 75 ? 'orange' : 'brand'}
        aria-label={t('Utilization of {block}', { block: cidr })}
      />
      <Text size="xs" className="numbers" w={58} ta="right">
        {percentText(percent)}
      </Text>
    </Group>
  );
}
