/** The world as the commands see it, so that tests run the real program without a process of its own. */
export interface Environment {
  readonly workingDirectory: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  readonly signal?: AbortSignal;
  /** Directories with helm and kustomize beside this installation, searched after PATH. */
  readonly toolsDirectories: readonly string[];
  readonly readStdin: () => Promise<string>;
  readonly writeStdout: (text: string) => void;
  readonly writeStderr: (text: string) => void;
}
