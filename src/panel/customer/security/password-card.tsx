// Changing one's own password.
import { Modal, PasswordInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { JSX } from 'react';
import { useChange } from '../../data/read.ts';
import { Act } from '../../parts/act.tsx';
import { useFields } from '../../parts/fields.ts';
import { Form } from '../../parts/form.tsx';
import { WayCard } from './way-card.tsx';

export interface PasswordCardProps {
  readonly email: string;
  readonly reason: string | undefined;
}

export function PasswordCard({ email, reason }: PasswordCardProps): JSX.Element {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <WayCard
      title="Password"
      about="Changing it signs you out everywhere else."
      action={
        <Act variant="default" reason={reason} onClick={open}>
          Change the password
        </Act>
      }
    >
      <Modal opened={isOpen} onClose={close} title="Change the password" closeOnClickOutside={false}>
        {isOpen && <PasswordForm email={email} close={close} />}
      </Modal>
    </WayCard>
  );
}

function PasswordForm({ email, close }: { email: string; close: () => void }): JSX.Element {
  const fields = useFields({ password: '', newpassword: '', again: '' });
  const { password, newpassword, again } = fields.values;
  const change = useChange('passwordSet', { done: 'Your password is changed.', changes: ['sessionGet'] });
  const send = async (): Promise<void> => {
    await change.mutateAsync({ password, newpassword });
    close();
  };
  const isDifferent = again !== '' && again !== newpassword;
  return (
    <Form
      fields={fields}
      label="Change"
      cancel={close}
      send={send}
      reason={again === newpassword ? undefined : 'The new password is not the same twice.'}
    >
      {/* For password managers, which want to know whose it is. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label="Present password"
        required
        autoComplete="current-password"
        data-autofocus
        {...fields.input('password')}
      />
      <PasswordInput label="New password" required autoComplete="new-password" {...fields.input('newpassword')} />
      <PasswordInput
        label="New password, once more"
        required
        autoComplete="new-password"
        {...fields.input('again')}
        error={isDifferent ? 'is not the same' : undefined}
      />
    </Form>
  );
}
