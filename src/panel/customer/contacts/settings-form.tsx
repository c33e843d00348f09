// What a contact is mailed, and whether and for what the person may sign in.
import { Alert, Checkbox, Input, SimpleGrid, Switch } from '@mantine/core';
import type { JSX } from 'react';
import type { Scope } from '#contract/scopes.ts';
import type { Contact } from '#sdk/v2.ts';
import { useChange } from '../../data/read.ts';
import { useFields } from '../../parts/fields.ts';
import { Form } from '../../parts/form.tsx';
import { ScopePicker } from '../../parts/scope-picker.tsx';
import { mailNames, mails, nameOf, permissionsOf, type Mail } from './contact.ts';

export interface SettingsFormProps {
  readonly of: Contact;
  readonly close: () => void;
}

interface Values extends Record<Mail, boolean> {
  readonly subaccount: boolean;
  readonly permissions: readonly Scope[];
}

export function SettingsForm({ of, close }: SettingsFormProps): JSX.Element {
  const fields = useFields<Values>({
    subaccount: of.subaccount === '1',
    permissions: permissionsOf(of),
    ...(Object.fromEntries(mailNames.map((name) => [name, of[name] === '1'])) as Record<Mail, boolean>),
  });
  const { values } = fields;
  const change = useChange('contactSettings', { done: `${nameOf(of)} is changed.`, changes: ['contactGet'] });
  const send = async (): Promise<void> => {
    const { permissions, ...rest } = values;
    await change.mutateAsync({ id: of.id, ...rest, ...(rest.subaccount ? { permissions: [...permissions] } : {}) });
    close();
  };
  const willEnd = of.subaccount === '1' && !values.subaccount;
  return (
    <Form fields={fields} label="Save" cancel={close} send={send}>
      <Input.Wrapper label="Mails" labelElement="div">
        <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} mt={6} spacing="xs">
          {mailNames.map((name) => (
            <Checkbox
              key={name}
              label={mails[name].label}
              description={mails[name].about}
              checked={values[name]}
              onChange={(event) => fields.set({ [name]: event.currentTarget.checked } as Partial<Values>)}
            />
          ))}
        </SimpleGrid>
      </Input.Wrapper>
      <Switch
        label="May sign in"
        description={`With ${of.email} and the password of this contact`}
        checked={values.subaccount}
        error={fields.errorOf('subaccount')}
        onChange={(event) => fields.set({ subaccount: event.currentTarget.checked })}
      />
      {values.subaccount && (
        <ScopePicker
          label="Permissions"
          value={values.permissions}
          error={fields.errorOf('permissions')}
          onChange={(permissions) => fields.set({ permissions })}
        />
      )}
      {willEnd && (
        <Alert color="yellow" variant="light">
          {nameOf(of)} is signed out everywhere when you save this.
        </Alert>
      )}
    </Form>
  );
}
