// The systems that a server can be given, to choose from, and the way to have one installed.
import { Avatar, Card, Chip, Group, SimpleGrid, Stack, Text, Textarea, Title } from '@mantine/core';
import { useState, type JSX } from 'react';
import { HostyardError } from '#sdk/v2.ts';
import { useChange, useRead } from '../../data/read.ts';
import { AskFirst } from '../../parts/act.tsx';
import { Answer, Empty } from '../../parts/answer.tsx';
import { useFields } from '../../parts/fields.ts';
import { ShownOnceDialogue } from '../../parts/shown-once.tsx';
import { hostnameOf, isMachine, useDeviceRefusal, type ShownDevice } from './device.ts';
import { familiesOf, monogram, type Family } from './families.ts';
import { PartCard } from './part-card.tsx';

export interface GalleryProps {
  readonly shown: ShownDevice;
  /** Why nothing can be installed now; undefined where it can. */
  readonly against: string | undefined;
  readonly onBegun?: () => void;
}

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

export function Gallery({ shown, against, onBegun }: GalleryProps): JSX.Element {
  const { device } = shown;
  const { service } = device;
  const templates = useRead('deviceTemplateList', { service });
  const refused = useDeviceRefusal()(shown, 'device:write');
  const start = useChange('deviceReloadStart');
  const fields = useFields({ value: '', sshkeys: '' });
  const [password, setPassword] = useState('');
  const { value } = fields.values;
  const name = templates.data?.find((each) => each.value === value)?.name;
  const install = async (): Promise<void> => {
    const sshkeys = linesOf(fields.values.sshkeys);
    try {
      setPassword(await start.mutateAsync({ service, value, ...(sshkeys.length === 0 ? {} : { sshkeys }) }));
      onBegun?.();
      // How far it is stands above the gallery.
      scrollTo({ top: 0 });
    } catch (error) {
      // What is said of a field is read at the field; the rest in the question.
      if (!(error instanceof HostyardError) || !('sshkeys' in error.errors)) throw error;
      fields.refuse(error);
    }
  };
  return (
    <PartCard title="Install a system" about="Choose a system and its version. Everything on the disks is erased.">
      <Answer of={templates} lines={5}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon="disc" title="There is no system for this server">
              The provider has none that fits it.
            </Empty>
          ) : (
            <Stack>
              <Chip.Group value={value} onChange={(next) => fields.set({ value: next as string })}>
                <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} role="radiogroup" aria-label="System">
                  {familiesOf(all).map((family) => (
                    <FamilyCard key={family.name} family={family} chosen={value} />
                  ))}
                </SimpleGrid>
              </Chip.Group>
              {!isMachine(device) && (
                <Textarea
                  label="SSH keys"
                  description="Public keys that may sign in as root, one on each line; none is needed"
                  placeholder="ssh-ed25519 AAAA… name"
                  autosize
                  minRows={2}
                  maxRows={6}
                  styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
                  {...fields.input('sshkeys')}
                />
              )}
              <Group>
                <AskFirst
                  color="red"
                  reason={refused ?? against ?? (name === undefined ? 'Choose a system first.' : undefined)}
                  question={`Install ${name ?? ''} on ${hostnameOf(device)}?`}
                  consequence={`Everything on the disks of ${hostnameOf(device)} is erased, and nothing brings it back. Its addresses and its name stay.`}
                  typed={hostnameOf(device)}
                  yes="Erase and install"
                  act={install}
                >
                  Install
                </AskFirst>
                {name !== undefined && <Text size="sm">{name}</Text>}
              </Group>
            </Stack>
          )
        }
      </Answer>
      <ShownOnceDialogue
        title="The installation has begun"
        label="Password of root in the new system"
        secret={password}
        onDone={() => setPassword('')}
      />
    </PartCard>
  );
}

function FamilyCard({ family, chosen }: { family: Family; chosen: string }): JSX.Element {
  const isChosen = family.versions.some(({ value }) => value === chosen);
  return (
    <Card padding="sm" style={isChosen ? { borderColor: 'var(--mantine-primary-color-filled)' } : {}}>
      <Group gap="sm" mb="xs" wrap="nowrap">
        <Avatar color="yard" variant={isChosen ? 'filled' : 'light'} radius="md" aria-hidden="true" alt="">
          {monogram(family.name)}
        </Avatar>
        <Title order={3} size="h6">
          {family.name}
        </Title>
      </Group>
      <Group gap={6}>
        {family.versions.map(({ label, value }) => (
          <Chip key={value} value={value} size="xs" aria-label={`${family.name} ${label}`}>
            {label}
          </Chip>
        ))}
      </Group>
    </Card>
  );
}
