// The switch ports of a dedicated server, as the switch says they are, and switching each on or off.
import { Card, Group, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { PortList } from '#sdk/legacy.ts';
import { useLegacyChange, useLegacyRead } from '../../data/legacy.ts';
import { useRefusal } from '../../data/who.ts';
import { Act, AskFirst } from '../../parts/act.tsx';
import { rateText } from '../../parts/amounts.ts';
import { Answer, Empty } from '../../parts/answer.tsx';
import { sayFailure } from '../../parts/say-failure.ts';
import { StateBadge } from '../../parts/state.tsx';

/** A cable that is pulled out tells nobody. */
const everyMs = 30_000;

export interface PortsProps {
  /** Its name at the provider. */
  readonly server: string;
  readonly hostname: string;
}

export function Ports({ server, hostname }: PortsProps): JSX.Element {
  const ports = useLegacyRead('portSet', { server }, { everyMs });
  return (
    <Answer of={ports} lines={2}>
      {(answer) => {
        const found = Object.entries(answer as PortList);
        if (found.length === 0)
          return (
            <Card>
              <Empty icon="server" title="No switch port">
                The provider has not connected this server to a switch that it can be asked about.
              </Empty>
            </Card>
          );
        return (
          <Stack gap="sm">
            {found.map(([id, port]) => (
              <Port key={id} server={server} hostname={hostname} id={id} port={port} isOnly={found.length === 1} />
            ))}
          </Stack>
        );
      }}
    </Answer>
  );
}

interface PortProps extends PortsProps {
  readonly id: string;
  readonly port: PortList[string];
  readonly isOnly: boolean;
}

function Port({ server, hostname, id, port, isOnly }: PortProps): JSX.Element {
  const refusal = useRefusal()('network:write');
  const name = port.name === '' ? `Port ${id}` : port.name;
  const change = useLegacyChange('portSet', { changes: ['legacy portSet', 'portGet', 'deviceHardwareGet'] });
  const isEnabled = port.ifAdminStatus === 'up';
  return (
    <Card>
      <Group justify="space-between" gap="sm">
        <div>
          <Group gap="xs">
            <Text fw={600}>{name}</Text>
            <StateBadge state={isEnabled ? 'Enabled' : 'Disabled'} />
          </Group>
          <Text size="sm" c="dimmed" className="numbers">
            {port.ifOperStatus === 'up' ? `Link up, ${rateText(Number(port.ifSpeed))}` : 'No link'}
            {isEnabled && port.ifOperStatus === 'down' && ': nothing answers at the other end of the cable'}
          </Text>
        </div>
        {isEnabled ? (
          <AskFirst
            size="xs"
            variant="light"
            color="red"
            reason={refusal}
            loading={change.isPending}
            question={`Disable ${name}?`}
            consequence={
              isOnly
                ? `This cuts ${hostname} off from the network at once, you included, until the port is enabled again. The console still works.`
                : `${hostname} loses this connection at once, until the port is enabled again. Its other ports stay as they are.`
            }
            yes="Disable it"
            act={() => change.mutateAsync({ server, id, action: 'disable' })}
          >
            Disable
          </AskFirst>
        ) : (
          <Act
            size="xs"
            reason={refusal}
            loading={change.isPending}
            onClick={() => change.mutate({ server, id, action: 'enable' }, { onError: sayFailure })}
          >
            Enable
          </Act>
        )}
      </Group>
    </Card>
  );
}
