import manifest from '../../package.json' with { type: 'json' };

export const kurelVersion: string = manifest.version;
