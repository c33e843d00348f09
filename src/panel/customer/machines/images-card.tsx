// The images that the account has made from its virtual machines.
import { Stack, Title } from '@mantine/core';
import type { JSX } from 'react';
import { useScopeDenial } from '../../data/identity.ts';
import { useChange, useRead, type Result } from '../../data/operations.ts';
import { DangerButton } from '../../parts/confirm-button.tsx';
import { QueryTable, type Column } from '../../parts/table-card.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { t } from '../../text/text.ts';
import { CopyState, copySize } from './copy-state.tsx';

type Image = Result<'machineImageList'>[number];

/** Nothing if there are none. */
export function ImagesCard(): JSX.Element | null {
  const images = useRead('machineImageList', {});
  const denial = useScopeDenial()('device:write');
  const remove = useChange('machineImageDelete', { successMessage: t('Image deleted') });
  const columns: readonly Column<Image>[] = [
    { label: t('Name'), fw: 600, className: 'wrap-anywhere', cell: ({ name }) => name },
    { label: t('State'), cell: (image) => <CopyState copy={image} /> },
    { label: t('Available on'), cell: ({ node, location }) => (location === '' ? node : `${node} · ${location}`) },
    { label: t('Size'), isNumber: true, cell: ({ size }) => copySize(size) },
    { label: t('Created'), cell: ({ created }) => <Timestamp at={created} /> },
    {
      label: t('Actions'),
      width: 1,
      cell: ({ id, name, state }) => (
        <DangerButton
          aria-label={t('Delete {name}', { name })}
          disabledReason={
            denial ?? (state === 'ready' || state === 'failed' ? undefined : t('Available once the image is ready.'))
          }
          question={t('Delete the image “{name}”?', { name })}
          consequence={t('This cannot be undone. Machines that were installed with it stay as they are.')}
          confirmLabel={t('Delete')}
          onConfirm={() => remove.mutateAsync({ id })}
        />
      ),
    },
  ];
  if (images.data?.length === 0) return null;
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        {t('Images of the account')}
      </Title>
      <QueryTable query={images} label={t('Images')} columns={columns} minWidth={700} />
    </Stack>
  );
}
