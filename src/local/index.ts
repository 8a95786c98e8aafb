export { loadStaticEmbedder } from './static-file.js';
