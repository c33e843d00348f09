// Asks who it is before a change of how they sign in: for the password, a code or a passkey, if the person has
// them. A session alone could be stolen.
import { PasswordInput, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import { answerChallenge } from '../../data/passkeys.ts';
import { useRead } from '../../data/operations.ts';
import type { FormFields } from '../../parts/form-fields.ts';
import { t } from '../../text/text.ts';

type ProofKind = 'password' | 'code' | 'passkey';
const labels: Readonly<Record<ProofKind, string>> = {
  password: t('Password'),
  code: t('Code'),
  passkey: t('Passkey'),
};

/** The values that a form with a proof has among others. */
export const proofValues = { password: '', code: '' };

export interface ProofFieldsProps {
  readonly fields: FormFields<typeof proofValues>;
  readonly kind: ProofKind;
  readonly kinds: readonly ProofKind[];
  readonly setKind: (kind: ProofKind) => void;
}

/** Returns the props of `ProofFields`, and a function that returns the proof to send. */
export function useProof<Values extends typeof proofValues>(fields: FormFields<Values>) {
  const { data } = useRead('sessionGet', {});
  const [kind, setKind] = useState<ProofKind>('password');
  const kinds: ProofKind[] = ['password'];
  if (data?.totp === 'Confirmed') kinds.push('code');
  if (data !== undefined && data.passkeys !== '0') kinds.push('passkey');
  return {
    props: { fields: fields as unknown as FormFields<typeof proofValues>, kind, kinds, setKind },
    async getProof() {
      if (kind === 'passkey') return { passkey: await answerChallenge() };
      const { code, password } = fields.values;
      return kind === 'code' ? { code: code.replaceAll(' ', '') } : { password };
    },
  };
}

export function ProofFields({ fields, kind, kinds, setKind }: ProofFieldsProps): JSX.Element {
  return (
    <>
      {kinds.length > 1 && (
        <SegmentedControl
          value={kind}
          onChange={setKind}
          data={kinds.map((value) => ({ value, label: labels[value] }))}
          aria-label={t('Confirmation method')}
        />
      )}
      {kind === 'password' && (
        <PasswordInput
          label={t('Current password')}
          required
          data-autofocus
          autoComplete="current-password"
          {...fields.input('password')}
        />
      )}
      {kind === 'code' && (
        <TextInput
          label={t('Authentication code')}
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          {...fields.input('code')}
        />
      )}
      {kind === 'passkey' && <Text size="sm">{t('Your browser asks for one of your passkeys.')}</Text>}
    </>
  );
}
