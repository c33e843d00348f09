// Downloads a file of the API, which a plain link could not do: it has no key.
import type { ButtonProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { JSX } from 'react';
import type { FileResponse } from '#sdk/v2.ts';
import { ActionButton } from './action-button.tsx';
import { notifyFailure } from './notify-error.ts';
import { saveFile } from './save-file.ts';
import { t } from '../text/text.ts';

export interface FileButtonProps extends Pick<ButtonProps, 'size'> {
  readonly load: () => Promise<Pick<FileResponse, 'name' | 'type' | 'bytes'>>;
  /** Title of the notification if the download fails. */
  readonly errorTitle?: string;
  readonly children: string;
}

export function FileButton(props: FileButtonProps): JSX.Element {
  const { load, errorTitle = t('File not downloaded'), ...button } = props;
  const download = useMutation({
    mutationFn: load,
    onSuccess: saveFile,
    onError: (error) => notifyFailure(errorTitle, error),
  });
  return (
    <ActionButton
      variant="default"
      icon="download"
      {...button}
      loading={download.isPending}
      onClick={() => download.mutate()}
    />
  );
}
