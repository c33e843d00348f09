// The columns of a switch's ports.
import { Text } from '@mantine/core';
import type { JSX } from 'react';
import type { Row } from '../../data/staff-pages.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import type { Column } from '../../parts/table-card.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { rateText } from '../../parts/traffic-units.ts';
import { formatNumber, t } from '../../text/text.ts';
import { CustomerLink, DeviceLink } from '../parts/links.tsx';

type Port = Row<'portList'>;

const problemTexts: Readonly<Record<Exclude<Port['problem'], ''>, string>> = {
  missing: t('No port has this name'),
  ambiguous: t('Several ports have this name'),
  taken: t('Another port in the site file has this name'),
  miscabled: t('LLDP reports another server'),
};

export const portColumns: readonly Column<Port>[] = [
  {
    label: t('Port'),
    cell: ({ name, alias, index }) => (
      <>
        <Text span inherit ff="monospace">
          {name === '' ? index : name}
        </Text>
        {alias !== '' && <Dimmed size="xs">{alias}</Dimmed>}
      </>
    ),
  },
  {
    label: t('Link'),
    cell: (port) => (
      <>
        <StateBadge {...linkState(port)} />
        {port.speed !== '' && <Dimmed size="xs">{rateText(Number(port.speed))}</Dimmed>}
      </>
    ),
  },
  {
    label: t('Traffic'),
    isNumber: true,
    isOneLine: true,
    cell: (port) => (
      <>
        <div>{t('{rate} in', { rate: optionalRate(port.in) })}</div>
        <div>{t('{rate} out', { rate: optionalRate(port.out) })}</div>
      </>
    ),
  },
  {
    label: t('Errors and discards'),
    cell: ({ inerrors, outerrors, indiscards, outdiscards, errorrate, discardrate, erred }) => (
      <>
        <div>{t('Errors: {count}', { count: sumText(inerrors, outerrors) })}</div>
        <div>{t('Discards: {count}', { count: sumText(indiscards, outdiscards) })}</div>
        <Rise rate={Number(errorrate) + Number(discardrate)} />
        {erred !== '' && (
          <Dimmed size="xs">
            <Timestamp at={erred} isRelative />
          </Dimmed>
        )}
      </>
    ),
  },
  {
    label: t('Neighbour'),
    className: 'wrap-anywhere',
    cell: ({ neighbour, neighbourport, neighbourmac }) => (
      <>
        {neighbour || neighbourmac || '—'}
        {neighbourport !== '' && <Dimmed size="xs">{neighbourport}</Dimmed>}
      </>
    ),
  },
  {
    label: t('Attached to'),
    cell: ({ server, problem }) => (
      <>
        {server === '' ? <span>—</span> : <DeviceLink device={server} />}
        {problem !== '' && <Dimmed size="xs">{problemTexts[problem]}</Dimmed>}
      </>
    ),
  },
  {
    label: t('Customer'),
    cell: ({ account, hostname }) => (
      <>
        <CustomerLink account={account} />
        {hostname !== '' && <Dimmed size="xs">{hostname}</Dimmed>}
      </>
    ),
  },
];

/** A port that staff or a customer disabled has no link for that reason. */
function linkState({ admin, oper }: Port): { state: string; label: string } {
  if (oper === '' || oper === 'unknown') return { state: 'unknown', label: t('Unknown') };
  if (admin === 'down') return { state: admin, label: t('Disabled') };
  return { state: oper, label: oper === 'up' ? t('Up') : t('Down') };
}

function optionalRate(rate: string): string {
  return rate === '' ? '—' : rateText(Number(rate));
}

/** The sum of both directions, as far as it is known. */
function sumText(...counts: readonly string[]): string {
  const known = counts.filter((count) => count !== '');
  return known.length === 0 ? '—' : formatNumber(known.reduce((sum, count) => sum + Number(count), 0));
}

function Rise({ rate }: { rate: number }): JSX.Element | null {
  if (rate === 0) return null;
  return <StateBadge state="critical" label={t('{rate} per minute', { rate: formatNumber(rate) })} />;
}
