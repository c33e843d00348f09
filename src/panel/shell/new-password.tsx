// The form that replaces every page until a customer has replaced a password that staff chose.
import { Card, Stack, Text, Title } from '@mantine/core';
import type { JSX } from 'react';
import { PasswordForm } from '../customer/security/password-card.tsx';
import { t } from '../text/text.ts';

export function NewPassword({ email }: { email: string }): JSX.Element {
  return (
    <Card maw={480} mx="auto" mt="xl">
      <Stack>
        <div>
          <Title order={1} size="h3">
            {t('Choose a new password')}
          </Title>
          <Text size="sm">{t('The provider chose your current password. Replace it to continue.')}</Text>
        </div>
        <PasswordForm email={email} />
      </Stack>
    </Card>
  );
}
