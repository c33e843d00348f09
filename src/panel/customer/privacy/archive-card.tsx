// Requests an archive of everything about the account, and downloads it.
import { Group, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import { useChange, useRead } from '../../data/operations.ts';
import { customerApi } from '../../data/session.ts';
import { FileButton } from '../../parts/file-button.tsx';
import { Dimmed } from '../../parts/dimmed.tsx';
import { FormButton } from '../../parts/form-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { bytesText } from '../../parts/traffic-units.ts';
import { ProofFields, proofValues, useProof } from '../security/proof-fields.tsx';
import { SignInMethodCard } from '../security/sign-in-method-card.tsx';
import { rich } from '../../text/rich.ts';
import { t } from '../../text/text.ts';

export function ArchiveCard({ reason }: { reason: string | undefined }): JSX.Element {
  const archives = useRead('accountExportList', {}, { refetchMs: 5000 });
  return (
    <SignInMethodCard
      title={t('Archive')}
      description={t(
        'A ZIP file with your profile, services, zones, invoices, messages and logs. Up to three per day.',
      )}
      action={
        <FormButton
          variant="default"
          title={t('Create archive')}
          disabledReason={reason}
          form={(close) => <ProofForm operation="accountExportCreate" label={t('Create archive')} close={close} />}
        />
      }
    >
      <QueryResult query={archives} lines={2} empty={<Text size="sm">{t('No archive yet')}</Text>}>
        {(all) => (
          <Stack gap="xs">
            {all.map(({ id, status, size, created, expires, operator }) => (
              <Group key={id} gap="xs">
                <StateBadge state={status} />
                <Text size="sm">
                  <Timestamp at={created} />
                </Text>
                {status === 'Ready' && reason === undefined && (
                  <FileButton load={() => customerApi().accountExportFile({ id: Number(id) })}>
                    {t('Download ({size})', { size: bytesText(Number(size)) })}
                  </FileButton>
                )}
                {status === 'Ready' && (
                  <Dimmed>{rich('Expires {time}', { time: <Timestamp at={expires} isRelative /> })}</Dimmed>
                )}
                {operator !== '' && <Dimmed>{t('Requested by {operator}', { operator })}</Dimmed>}
              </Group>
            ))}
          </Stack>
        )}
      </QueryResult>
    </SignInMethodCard>
  );
}

const done = {
  accountExportCreate: { successMessage: t('Archive requested'), invalidates: ['accountExportList'] },
  erasureRequest: { successMessage: t('Erasure requested'), invalidates: ['erasureGet'] },
} as const;

export interface ProofFormProps {
  readonly operation: keyof typeof done;
  readonly label: string;
  readonly close: () => void;
}
export function ProofForm({ operation, label, close }: ProofFormProps): JSX.Element {
  const fields = useFormFields(proofValues);
  const proof = useProof(fields);
  const change = useChange(operation, done[operation]);
  return (
    <Form
      fields={fields}
      submitLabel={label}
      onSubmit={async () => change.mutateAsync(await proof.getProof())}
      close={close}
    >
      <ProofFields {...proof.props} />
    </Form>
  );
}
