import { expect, test } from 'vitest';
import { detectLanguage } from '../../src/kernels/detect-language.js';

test.each([
  ['en', 'The ferry leaves the harbour twice a day and returns before the sun goes down.'],
  ['de', 'Die Fähre verlässt den Hafen zweimal am Tag und kehrt vor dem Abend wieder zurück.'],
  ['fr', 'Le bateau quitte le port deux fois par jour et revient avant la tombée de la nuit.'],
  ['es', 'El barco sale del puerto dos veces al día y regresa antes de que caiga la noche.'],
  ['pt', 'O barco não sai do porto aos domingos, mas volta para a cidade antes do anoitecer.'],
  ['it', 'La nave lascia il porto due volte al giorno e ritorna prima che scenda la notte.'],
  ['nl', 'De boot verlaat de haven twee keer per dag en komt terug voordat het donker wordt.'],
  ['ru', 'Паром покидает гавань два раза в день и возвращается до захода солнца.'],
  ['ja', 'この船は一日に二回港を出て、日が暮れる前に戻ってきます。'],
  ['zh', '这艘渡轮每天两次离开港口，日落之前返回。'],
  ['ko', '이 배는 하루에 두 번 항구를 떠나 해가 지기 전에 돌아옵니다.'],
])('%s', (language, text) => {
  expect(detectLanguage(text)).toBe(language);
  expect(detectLanguage(text)).toBe(language);
});

test('too little to go by is undefined', () => {
  for (const text of ['', '   ', '42', 'Aspirin', 'npm install', 'const x = f(y);', 'Vitamin D', '- ! ?']) {
    expect(detectLanguage(text)).toBeUndefined();
  }
});

test('initials and possessives do not make English French', () => {
  expect(detectLanguage("Harbour notes by T. Lake, S. Hill, D. Marsh: the ferry's bell and the pilot's log")).toBe(
    'en',
  );
});

test('only the beginning of a long text is read', () => {
  const text = `${'The ferry leaves the harbour and the island. '.repeat(40)}${'Der Hafen und die Fähre. '.repeat(50_000)}`;
  expect(detectLanguage(text)).toBe('en');
});
