// The reason for what staff do on a device's page, given once and shown to the customer with every change.
import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import { Icon } from '../../shell/icons.tsx';
import { t } from '../../text/text.ts';

export interface ReasonBarProps {
  readonly reason: string;
  readonly setReason: (reason: string) => void;
  readonly hasCustomer: boolean;
}

export function ReasonBar({ reason, setReason, hasCustomer }: ReasonBarProps): JSX.Element {
  const [text, setText] = useState('');
  const audience = hasCustomer
    ? t('You act as staff on a customer’s device. The customer sees your name and the reason in their audit log.')
    : t('You act as staff on a server in stock. The audit log shows your name and the reason.');
  return (
    <Alert color="violet" variant="light" icon={<Icon name="key" />} title={t('Staff access')}>
      <Text size="sm" mb="sm">
        {audience}
      </Text>
      {reason === '' ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() !== '') setReason(text.trim());
          }}
        >
          <Group gap="xs" align="flex-end">
            <TextInput
              label={t('Reason for your changes')}
              placeholder={t('Ticket 4711: server does not boot')}
              value={text}
              maxLength={255}
              onChange={(event) => setText(event.currentTarget.value)}
              style={{ flex: '1 1 240px', maxWidth: 480 }}
            />
            <Button type="submit" disabled={text.trim() === ''}>
              {t('Start working')}
            </Button>
          </Group>
        </form>
      ) : (
        <Group gap="xs">
          <Text size="sm" fw={600} className="wrap-anywhere">
            {reason}
          </Text>
          <Button variant="default" size="xs" onClick={() => setReason('')}>
            {t('Change reason')}
          </Button>
        </Group>
      )}
    </Alert>
  );
}
