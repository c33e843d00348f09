// Actions on several servers: power commands and labels. The dialog lists the servers before it starts and shows one
// result for each, so that a part that failed is never taken for done.
import { Button, Group, Loader, Menu, Modal, Stack, TagsInput, Text } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { customerApi } from '../../data/session.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { errorText } from '../../parts/error-text.ts';
import { useGrowingRows } from '../../parts/growing-rows.ts';
import { Icon } from '../../shell/icons.tsx';
import { serverName, isVirtualMachine, useUnavailableReason, type ServerInfo } from '../server/device.ts';
import { powerActionInfo, powerActions, type PowerAction } from '../server/power/power-actions.ts';
import { t, tCount } from '../../text/text.ts';

/** Of the API's calls, so that a large selection does not exhaust the account's rate limit. */
const concurrency = 4;

type BulkAction = { readonly kind: 'power'; readonly action: PowerAction } | { readonly kind: 'labels' };
type Outcome = 'waiting' | 'running' | 'done' | { readonly error: string };

export interface BulkActionsProps {
  readonly servers: readonly ServerInfo[];
  readonly labels: readonly string[];
  readonly onClear: () => void;
}

export function BulkActions({ servers, labels, onClear }: BulkActionsProps): JSX.Element {
  const [action, setAction] = useState<BulkAction>();
  const [isRunning, setRunning] = useState(false);
  // The results would be lost.
  const close = (): void => void (isRunning || setAction(undefined));
  return (
    <Group gap="sm" role="toolbar" aria-label={t('Actions on the selected servers')}>
      <Text size="sm" fw={600} role="status">
        {tCount(servers.length, { one: '{count} server selected', other: '{count} servers selected' })}
      </Text>
      <Menu>
        <Menu.Target>
          <Button size="xs" variant="default" leftSection={<Icon name="power" size={16} />}>
            {t('Power')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {powerActions.map((name) => (
            <Menu.Item key={name} onClick={() => setAction({ kind: 'power', action: name })}>
              {powerActionInfo[name].label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button size="xs" variant="default" onClick={() => setAction({ kind: 'labels' })}>
        {t('Labels')}
      </Button>
      <Button size="xs" variant="subtle" onClick={onClear}>
        {t('Clear selection')}
      </Button>
      <Modal
        opened={action !== undefined}
        onClose={close}
        title={action?.kind === 'power' ? powerActionInfo[action.action].label : t('Change labels')}
        closeOnClickOutside={false}
        size="lg"
      >
        {action !== undefined && <BulkDialog {...{ action, servers, labels, isRunning, setRunning, close }} />}
      </Modal>
    </Group>
  );
}

interface BulkDialogProps {
  readonly action: BulkAction;
  readonly servers: readonly ServerInfo[];
  readonly labels: readonly string[];
  readonly isRunning: boolean;
  readonly setRunning: (isRunning: boolean) => void;
  readonly close: () => void;
}

function BulkDialog(props: BulkDialogProps): JSX.Element {
  const { action, servers: selected, labels, isRunning, setRunning, close } = props;
  // Of when the dialog was opened: the list behind it changes while it runs.
  const [servers] = useState(selected);
  const { visible, endRef } = useGrowingRows(servers);
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>();
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  const cache = useQueryClient();
  const unavailableReason = useUnavailableReason();
  const power = action.kind === 'power' ? action.action : undefined;
  const scope = power === undefined ? 'device:write' : 'device:power';
  const setOutcome = (service: string, outcome: Outcome): void =>
    setOutcomes((current) => new Map([...(current ?? []), [service, outcome]]));

  async function runOne({ device: { service } }: ServerInfo): Promise<void> {
    setOutcome(service, 'running');
    try {
      if (power === undefined) await customerApi().deviceLabelSet({ service, add, remove });
      else if (power === 'shutdown') await customerApi().deviceShutdown({ service });
      else await customerApi().devicePowerSet({ service, action: power });
      setOutcome(service, 'done');
    } catch (error) {
      setOutcome(service, { error: errorText(error as Error).message });
    }
  }

  async function runAll(): Promise<void> {
    setRunning(true);
    const skipped = servers.map((server) => [server, unavailableReason(server, scope)] as const);
    setOutcomes(
      new Map(
        skipped.map(([{ device }, reason]) => [device.service, reason === undefined ? 'waiting' : { error: reason }]),
      ),
    );
    const queue = skipped.filter(([, reason]) => reason === undefined).map(([server]) => server);
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await runOne(next);
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    setRunning(false);
    await cache.invalidateQueries({ queryKey: ['customer'] });
  }

  const isUnchanged = power === undefined && add.length === 0 && remove.length === 0;
  const failed = [...(outcomes?.values() ?? [])].filter((each) => typeof each === 'object').length;
  return (
    <Stack>
      {power === undefined ? (
        <>
          <TagsInput
            label={t('Add labels')}
            data={[...labels]}
            value={add}
            disabled={outcomes !== undefined}
            onChange={(next) => setAdd(next.map((label) => label.trim().toLowerCase()))}
          />
          <TagsInput
            label={t('Remove labels')}
            data={[...labels]}
            value={remove}
            disabled={outcomes !== undefined}
            onChange={setRemove}
          />
        </>
      ) : (
        <Text size="sm">{bulkConsequence(power, servers)}</Text>
      )}
      <Stack
        gap={6}
        component="ul"
        m={0}
        p={0}
        style={{ listStyle: 'none', maxHeight: 320, overflow: 'auto' }}
        tabIndex={0}
        aria-label={t('Servers')}
      >
        {visible.map(({ device }) => (
          <Group key={device.service} component="li" justify="space-between" wrap="nowrap" gap="sm">
            <Text size="sm" className="wrap-anywhere">
              {serverName(device)}
            </Text>
            <Result outcome={outcomes?.get(device.service)} />
          </Group>
        ))}
        {endRef !== undefined && <li ref={endRef} />}
      </Stack>
      {outcomes !== undefined && !isRunning && (
        <Text size="sm" fw={600} role="status">
          {failed === 0
            ? t('Done for all servers')
            : t('Failed for {failed} of {total} servers', { failed, total: servers.length })}
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={close} disabled={isRunning}>
          {outcomes === undefined ? t('Cancel') : t('Close')}
        </Button>
        {outcomes === undefined && (
          <ActionButton
            color={power === undefined || power === 'on' ? 'brand' : 'red'}
            disabledReason={isUnchanged ? t('Enter a label to add or remove.') : undefined}
            onClick={() => void runAll()}
          >
            {power === undefined ? t('Change labels') : powerActionInfo[power].label}
          </ActionButton>
        )}
      </Group>
    </Stack>
  );
}

function bulkConsequence(action: PowerAction, servers: readonly ServerInfo[]): string {
  const { consequence } = powerActionInfo[action];
  if (consequence === undefined) return t('The servers are powered on.');
  return consequence[servers.every(({ device }) => isVirtualMachine(device)) ? 'machine' : 'server'];
}

function Result({ outcome }: { outcome: Outcome | undefined }): JSX.Element | null {
  if (outcome === undefined) return null;
  if (outcome === 'waiting') return <Text size="sm" c="dimmed" children={t('Waiting')} />;
  if (outcome === 'running') return <Loader size="xs" aria-label={t('Running')} />;
  if (outcome === 'done') return <Text size="sm" children={t('Done')} />;
  return (
    <Text size="sm" c="var(--mantine-color-error)" ta="right" className="wrap-anywhere">
      {outcome.error}
    </Text>
  );
}
