// The codes of an authenticator app: set up with a QR code or by hand, confirmed with the first code, ended with a proof.
import { Anchor, Group, Modal, PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type JSX } from 'react';
import { useChange } from '../../data/read.ts';
import { Act } from '../../parts/act.tsx';
import { Failed } from '../../parts/answer.tsx';
import { useFields } from '../../parts/fields.ts';
import { Form } from '../../parts/form.tsx';
import { Secret } from '../../parts/shown-once.tsx';
import { StateBadge } from '../../parts/state.tsx';
import { QrCode } from './qr-code.tsx';
import { WayCard } from './way-card.tsx';

export interface CodesProps {
  readonly state: 'None' | 'Waiting' | 'Confirmed';
  readonly reason: string | undefined;
}

export function Codes({ state, reason }: CodesProps): JSX.Element {
  const [isEnding, ending] = useDisclosure(false);
  const enrol = useChange('totpEnrol', { changes: ['sessionGet'] });
  const isOn = state === 'Confirmed';
  return (
    <WayCard
      title="Codes of an app"
      about="With a code of your authenticator app beside the password, a password that leaked opens nothing."
      state={<StateBadge state={isOn ? 'On' : 'Off'} />}
      action={
        isOn ? (
          <Act variant="default" reason={reason} onClick={ending.open}>
            Switch off
          </Act>
        ) : (
          <Act variant="default" reason={reason} loading={enrol.isPending} onClick={() => enrol.mutate({})}>
            Set up
          </Act>
        )
      }
    >
      {enrol.isError && <Failed error={enrol.error} />}
      <Modal
        opened={enrol.data !== undefined && !isOn}
        onClose={enrol.reset}
        title="Set up codes"
        closeOnClickOutside={false}
      >
        {enrol.data !== undefined && <Confirm {...enrol.data} close={enrol.reset} />}
      </Modal>
      <Modal opened={isEnding} onClose={ending.close} title="Switch the codes off?" closeOnClickOutside={false}>
        {isEnding && <End close={ending.close} />}
      </Modal>
    </WayCard>
  );
}

function Confirm({ secret, url, close }: { secret: string; url: string; close: () => void }): JSX.Element {
  const fields = useFields({ code: '' });
  const confirm = useChange('totpConfirm', { done: 'From now on signing in needs a code.', changes: ['sessionGet'] });
  const send = async (): Promise<void> => {
    await confirm.mutateAsync({ code: fields.values.code.replaceAll(' ', '') });
    close();
  };
  return (
    <Form fields={fields} label="Confirm" cancel={close} send={send}>
      <Text size="sm">
        Scan this with your authenticator app, or <Anchor href={url}>open it in an app of this device</Anchor>.
      </Text>
      <Group justify="center">
        <QrCode text={url} label="QR code for your authenticator app" />
      </Group>
      <Secret label="Or type this secret into the app" secret={secret} />
      <TextInput
        label="Code"
        description="The six digits that the app shows now"
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        data-autofocus
        {...fields.input('code')}
      />
    </Form>
  );
}

function End({ close }: { close: () => void }): JSX.Element {
  const [proof, setProof] = useState<'code' | 'password'>('code');
  const fields = useFields({ code: '', password: '' });
  const end = useChange('totpEnd', { done: 'The codes are off.', changes: ['sessionGet'] });
  const send = async (): Promise<void> => {
    await end.mutateAsync({ [proof]: fields.values[proof] });
    close();
  };
  return (
    <Form fields={fields} label="Switch off" cancel={close} send={send}>
      <Stack gap="xs">
        <Text size="sm">Afterwards the password alone signs you in. Show first that it is you.</Text>
        <SegmentedControl
          value={proof}
          onChange={setProof}
          data={[
            { value: 'code', label: 'With a code' },
            { value: 'password', label: 'With the password' },
          ]}
          aria-label="How to show that it is you"
        />
      </Stack>
      {proof === 'code' ? (
        <TextInput
          label="Code"
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          data-autofocus
          {...fields.input('code')}
        />
      ) : (
        <PasswordInput label="Password" required autoComplete="current-password" {...fields.input('password')} />
      )}
    </Form>
  );
}
