// The hardware inventory of a server, as reported by its BMC and the provider, and its switch ports.
import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { PortState } from '#sdk/v2.ts';
import { useRead } from '../../../data/operations.ts';
import { Dimmed } from '../../../parts/dimmed.tsx';
import { rateText } from '../../../parts/traffic-units.ts';
import { QueryResult, EmptyState } from '../../../parts/query-result.tsx';
import { SensorReport } from '../../../parts/sensor-report.tsx';
import { StateBadge } from '../../../parts/state-badge.tsx';
import { TableCard, type Column } from '../../../parts/table-card.tsx';
import { SectionCard } from '../section-card.tsx';
import { groupIdentical } from './group-identical.ts';
import { t, tData } from '../../../text/text.ts';

interface SwitchPort extends PortState {
  readonly device: string;
  readonly name: string;
}
const columns: readonly Column<SwitchPort>[] = [
  { label: t('Switch'), ff: 'monospace', cell: ({ device }) => device },
  { label: t('Port'), ff: 'monospace', cell: ({ name }) => name },
  {
    label: t('Status'),
    cell: ({ ifAdminStatus }) => <StateBadge state={ifAdminStatus === 'up' ? 'Enabled' : 'Disabled'} />,
  },
  { label: t('Link'), cell: ({ ifOperStatus }) => <StateBadge state={ifOperStatus === 'up' ? 'Up' : 'Down'} /> },
  { label: t('Speed'), isNumber: true, cell: ({ ifSpeed }) => rateText(Number(ifSpeed)) },
];

export function HardwareTab({ service }: { service: string }): JSX.Element {
  const hardware = useRead('deviceHardwareGet', { service });
  return (
    <QueryResult query={hardware} lines={8}>
      {({ parts, ports }) => {
        const components = Object.entries(parts).filter(([, texts]) => texts.length > 0);
        const switchPorts = Object.entries(ports).flatMap(([device, portsByName]) =>
          Object.entries(portsByName).map(([name, port]) => ({ device, name, ...port })),
        );
        return (
          <Stack>
            {components.length === 0 && (
              <EmptyState icon="server" title={t('No hardware information')}>
                {t('Neither IPMI nor the provider has reported any components.')}
              </EmptyState>
            )}
            <SimpleGrid minColWidth="280px">
              {components.map(([category, texts]) => (
                <ComponentCard key={category} category={category} texts={texts} />
              ))}
            </SimpleGrid>
            {switchPorts.length > 0 && (
              <TableCard
                label={t('Switch ports')}
                columns={columns}
                rows={switchPorts}
                rowKey={({ device, name }) => `${device} ${name}`}
                minWidth={480}
              />
            )}
            <Sensors service={service} />
          </Stack>
        );
      }}
    </QueryResult>
  );
}

/** Shows nothing if the provider does not offer sensors. */
function Sensors({ service }: { service: string }): JSX.Element | null {
  const { data: report } = useRead('deviceSensorsGet', { service }, { refetchMs: 60_000 });
  if (report === undefined) return null;
  return (
    <SectionCard title={t('Sensors')}>
      <SensorReport report={report} />
    </SectionCard>
  );
}

function ComponentCard({ category, texts }: { category: string; texts: readonly string[] }): JSX.Element {
  return (
    <SectionCard title={tData(category)}>
      <Stack gap={4}>
        {groupIdentical(texts).map(({ text, count }) => (
          <Group key={text} gap="xs" wrap="nowrap" align="baseline">
            {count > 1 && <Dimmed className="numbers">{count}×</Dimmed>}
            <Text size="sm">{text}</Text>
          </Group>
        ))}
      </Stack>
    </SectionCard>
  );
}
