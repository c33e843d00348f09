// Asking for more addresses: assigned at once where the provider's pool allows it, or filed for its staff.
import { Alert, Modal, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type JSX } from 'react';
import type { NetblockRequest, NetblockRequestInput } from '#sdk/legacy.ts';
import { useLegacyChange } from '../../data/legacy.ts';
import { useRefusal } from '../../data/who.ts';
import { Act } from '../../parts/act.tsx';
import { useFields } from '../../parts/fields.ts';
import { Form } from '../../parts/form.tsx';
import { Icon } from '../../shell/icons.tsx';

type Size = NetblockRequestInput['size'];
const sizes: Record<'ipv4' | 'ipv6', readonly { value: Size; label: string }[]> = {
  ipv4: ([30, 29, 28, 27, 26, 25, 24] as const).map((length) => ({
    value: `/${length}`,
    label: `/${length}: ${2 ** (32 - length)} addresses`,
  })),
  ipv6: [{ value: '/64', label: '/64: one network' }],
};

export function RequestAddresses({ server }: { server: string }): JSX.Element {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Act
        size="xs"
        variant="default"
        leftSection={<Icon name="plus" size={16} />}
        reason={useRefusal()('network:write')}
        onClick={open}
      >
        Request addresses
      </Act>
      <Modal opened={isOpen} onClose={close} title="Request addresses" centered>
        <RequestForm server={server} close={close} />
      </Modal>
    </>
  );
}

function RequestForm({ server, close }: { server: string; close: () => void }): JSX.Element {
  const fields = useFields<{ type: 'ipv4' | 'ipv6'; size: Size }>({ type: 'ipv4', size: '/30' });
  const { type, size } = fields.values;
  const request = useLegacyChange('netblockRequest', { changes: ['netblockList', 'reverseList'] });
  const [answer, setAnswer] = useState<NetblockRequest>();
  if (answer !== undefined) return <Answered answer={answer} close={close} />;
  return (
    <Form
      fields={fields}
      label="Request"
      cancel={close}
      send={async () => setAnswer(await request.mutateAsync({ server, type, size }))}
    >
      <Text size="sm">More addresses than your plan includes may cost more each month.</Text>
      <SegmentedControl
        aria-label="Family"
        data={[
          { value: 'ipv4', label: 'IPv4' },
          { value: 'ipv6', label: 'IPv6' },
        ]}
        value={type}
        onChange={(next) => {
          const family = next as 'ipv4' | 'ipv6';
          fields.set({ type: family, size: sizes[family][0]!.value });
        }}
      />
      <Select
        label="Size"
        allowDeselect={false}
        data={[...sizes[type]]}
        value={size}
        error={fields.errorOf('size')}
        onChange={(next) => next !== null && fields.set({ size: next as Size })}
      />
    </Form>
  );
}

function Answered({ answer, close }: { answer: NetblockRequest; close: () => void }): JSX.Element {
  return (
    <Stack>
      {answer.status === 'Assigned' ? (
        <Alert color="teal" variant="light" icon={<Icon name="check" />} title="Assigned" role="status">
          <Text size="sm" component="div">
            <Text span inherit ff="monospace" fw={600}>
              {answer.netblock}
            </Text>{' '}
            is routed to this server.
          </Text>
        </Alert>
      ) : (
        <Alert color="blue" variant="light" icon={<Icon name="request" />} title="Filed" role="status">
          <Text size="sm">
            The provider’s staff decide on request {answer.requestid}. The addresses stand here as soon as they are
            assigned.
          </Text>
        </Alert>
      )}
      <Act variant="default" onClick={close} style={{ alignSelf: 'flex-end' }}>
        Close
      </Act>
    </Stack>
  );
}
