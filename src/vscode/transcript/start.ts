/** What of the transcripts stands in the start chunk: the schemes, so that pages that were open come back with the window. */
import * as vscode from "vscode";
import { blobScheme, transcriptScheme } from "../contributions";

export interface TranscriptTexts {
  /** The content of a document of the scheme `proctor-traj` or `proctor-blob`. */
  read(uri: vscode.Uri): Promise<string>;
  onDidChange: vscode.Event<vscode.Uri>;
}

/**
 * Pages are files of a read-only file system, since the editor brings back only files when a window is opened again, with the
 * place where they were read. Texts in full are plain virtual documents.
 */
export function registerTranscripts(load: () => Promise<{ transcripts: TranscriptTexts }>): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  /** When each page got the text that it has: the editor reads a file again only when its time is another. */
  const times = new Map<string, number>();
  let listener: vscode.Disposable | undefined;
  const read = async (uri: vscode.Uri): Promise<string> => {
    const { transcripts } = await load();
    listener ??= transcripts.onDidChange((page) => {
      times.set(page.toString(), Date.now());
      changed.fire([{ type: vscode.FileChangeType.Changed, uri: page }]);
    });
    return transcripts.read(uri);
  };
  const refuse = (): never => {
    throw vscode.FileSystemError.NoPermissions("A transcript is read-only: it shows what the raw file holds.");
  };
  const bytesOf = async (uri: vscode.Uri): Promise<Uint8Array> => new TextEncoder().encode(await read(uri));
  const files: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    watch: () => new vscode.Disposable(() => undefined),
    async stat(uri) {
      const { length } = await bytesOf(uri);
      const mtime = times.get(uri.toString()) ?? 1;
      return { type: vscode.FileType.File, ctime: 1, mtime, size: length, permissions: vscode.FilePermission.Readonly };
    },
    readFile: bytesOf,
    readDirectory: () => [],
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerFileSystemProvider(transcriptScheme, files, { isReadonly: true, isCaseSensitive: true }),
    vscode.workspace.registerTextDocumentContentProvider(blobScheme, { provideTextDocumentContent: read }),
    { dispose: () => listener?.dispose() },
  );
}
