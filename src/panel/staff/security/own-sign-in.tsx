// One's own password and second factor.
import { Alert, Anchor, Button, Card, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffChange } from '../../data/read.ts';
import { Failed } from '../../parts/answer.tsx';
import { useFields } from '../../parts/fields.ts';
import { Form } from '../../parts/form.tsx';
import { Secret } from '../../parts/shown-once.tsx';
import { Icon } from '../../shell/icons.tsx';

export function OwnPassword(): JSX.Element {
  const fields = useFields({ password: '', newpassword: '' });
  const change = useStaffChange('passwordSet', { done: 'Your password is changed. Your other sessions have ended.' });
  return (
    <Card component="section" aria-labelledby="password">
      <Title order={2} size="h4" id="password" mb="sm">
        Password
      </Title>
      <Form
        fields={fields}
        label="Change the password"
        send={async () => {
          await change.mutateAsync(fields.values);
          fields.clear();
        }}
      >
        <PasswordInput
          label="Present password"
          required
          autoComplete="current-password"
          {...fields.input('password')}
        />
        <PasswordInput label="New password" required autoComplete="new-password" {...fields.input('newpassword')} />
      </Form>
    </Card>
  );
}

export function SecondFactor({ isMissing }: { isMissing: boolean }): JSX.Element {
  const enrol = useStaffChange('totpEnrol', { changes: [] });
  return (
    <Card component="section" aria-labelledby="factor">
      <Title order={2} size="h4" id="factor" mb="sm">
        Second factor
      </Title>
      {isMissing ? (
        <Stack>
          <Alert color="yellow" variant="light" icon={<Icon name="warning" />}>
            Until you use an authenticator app, you can do nothing else here.
          </Alert>
          {enrol.error !== null && <Failed error={enrol.error} />}
          {enrol.data === undefined ? (
            <Group>
              <Button loading={enrol.isPending} onClick={() => enrol.mutate({})}>
                Set up an authenticator app
              </Button>
            </Group>
          ) : (
            <Confirm secret={enrol.data.secret} url={enrol.data.url} />
          )}
        </Stack>
      ) : (
        <Group gap="sm" wrap="nowrap">
          <Icon name="check" />
          <Text size="sm">
            Signing in takes a code of your authenticator app. Whoever loses it asks an owner to forget it.
          </Text>
        </Group>
      )}
    </Card>
  );
}

function Confirm({ secret, url }: { secret: string; url: string }): JSX.Element {
  const fields = useFields({ code: '' });
  const confirm = useStaffChange('totpConfirm', { done: 'Your second factor is set up.' });
  return (
    <Form fields={fields} label="Confirm" send={() => confirm.mutateAsync({ code: fields.values.code.trim() })}>
      <Text size="sm">
        Type this secret into your app, or <Anchor href={url}>open it on this device</Anchor>. Then type the code that
        it shows.
      </Text>
      <Secret label="Secret" secret={secret} />
      <TextInput
        label="Code"
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        {...fields.input('code')}
      />
    </Form>
  );
}
