// The power of a device: one row of buttons on its own page, one small menu in a list. Both ask before what may lose data.
import { ActionIcon, Menu, Modal, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState, type JSX } from 'react';
import { useChange } from '../../data/read.ts';
import { Act, AskFirst, Question } from '../../parts/act.tsx';
import { sayFailure } from '../../parts/say-failure.ts';
import { Icon } from '../../shell/icons.tsx';
import { hostnameOf, isMachine, useDeviceRefusal, type ShownDevice } from './device.ts';
import { powerActions, powerRow, type PowerAction, type PowerState } from './power-table.ts';

interface PowerDoing {
  /** Why this one cannot be done now. */
  reason(action: PowerAction): string | undefined;
  consequence(action: PowerAction): string | undefined;
  readonly running: PowerAction | undefined;
  act(action: PowerAction): Promise<void>;
}

function usePower(shown: ShownDevice, power: PowerState): PowerDoing {
  const { device } = shown;
  const refused = useDeviceRefusal()(shown, 'device:power');
  const change = useChange('devicePowerSet');
  const running = change.isPending ? change.variables.action : undefined;
  return {
    reason: (action) =>
      refused ??
      (running !== undefined && running !== action ? 'Another power command is running.' : undefined) ??
      powerRow(action).against[power],
    consequence: (action) => powerRow(action).cost?.[isMachine(device) ? 'machine' : 'server'],
    running,
    async act(action) {
      await change.mutateAsync({ service: device.service, action });
      notifications.show({ title: hostnameOf(device), message: powerRow(action).done, color: 'teal' });
    },
  };
}

const questionOf = (action: PowerAction, { device }: ShownDevice): string =>
  `${powerRow(action).label}: ${hostnameOf(device)}?`;

export function PowerButtons({ shown, power }: { shown: ShownDevice; power: PowerState }): JSX.Element {
  const doing = usePower(shown, power);
  return (
    <>
      {powerActions.map((action) => {
        const { label } = powerRow(action);
        const consequence = doing.consequence(action);
        const props = {
          variant: action === 'on' ? 'filled' : 'default',
          size: 'sm',
          reason: doing.reason(action),
          loading: doing.running === action,
          children: label,
        };
        if (consequence === undefined)
          return <Act key={action} {...props} onClick={() => void doing.act(action).catch(sayFailure)} />;
        return (
          <AskFirst
            key={action}
            {...props}
            question={questionOf(action, shown)}
            consequence={consequence}
            yes={label}
            act={() => doing.act(action)}
          />
        );
      })}
    </>
  );
}

export function PowerMenu({ shown, power }: { shown: ShownDevice; power: PowerState }): JSX.Element {
  const doing = usePower(shown, power);
  const [asked, setAsked] = useState<PowerAction>();
  const choose = (action: PowerAction): void => {
    if (doing.consequence(action) === undefined) void doing.act(action).catch(sayFailure);
    else setAsked(action);
  };
  return (
    <>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <ActionIcon
            variant="default"
            size="lg"
            loading={doing.running !== undefined}
            aria-label={`Power of ${hostnameOf(shown.device)}`}
          >
            <Icon name="power" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {powerActions.map((action) => (
            <PowerItem key={action} action={action} reason={doing.reason(action)} onClick={() => choose(action)} />
          ))}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={asked === undefined ? '' : questionOf(asked, shown)}
        centered
      >
        {asked !== undefined && (
          <Question
            consequence={doing.consequence(asked)}
            yes={powerRow(asked).label}
            act={() => doing.act(asked)}
            close={() => setAsked(undefined)}
          />
        )}
      </Modal>
    </>
  );
}

interface PowerItemProps {
  readonly action: PowerAction;
  readonly reason: string | undefined;
  readonly onClick: () => void;
}

/** One that cannot act says why below its name. */
function PowerItem({ action, reason, onClick }: PowerItemProps): JSX.Element {
  const { label } = powerRow(action);
  if (reason === undefined) return <Menu.Item onClick={onClick}>{label}</Menu.Item>;
  return (
    <Menu.Item aria-disabled="true" closeMenuOnClick={false}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text size="xs" c="dimmed">
        {reason}
      </Text>
    </Menu.Item>
  );
}
