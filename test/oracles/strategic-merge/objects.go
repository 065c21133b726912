package main

import (
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
)

type mapping = map[string]any

// Few words, so that objects and patches often name the same things.
var words = []any{"a", "b", "c", "d", "e"}
var numbers = []any{80, 81, 82, 83, 84}

type dice struct{ *rand.Rand }

func (d dice) chance(percent int) bool {
	return d.IntN(100) < percent
}

func pick[T any](d dice, from []T) T {
	return from[d.IntN(len(from))]
}

func sortedKeys(m mapping) []string {
	return slices.Sorted(maps.Keys(m))
}

// Fields with values that need no further thought.
func leafFields(t reflect.Type) []field {
	var leaves []field
	for _, one := range fieldsOf(t) {
		switch {
		case one.name == "apiVersion" || one.name == "kind" || len(one.strategies) > 0 || isOpaque(one.of):
		case scalarsOf(one.of) != nil:
			leaves = append(leaves, one)
		case one.of.Kind() == reflect.Slice && one.of.Elem().Kind() == reflect.String:
			leaves = append(leaves, one)
		case one.of.Kind() == reflect.Map && one.of.Elem().Kind() == reflect.String:
			leaves = append(leaves, one)
		}
	}
	return leaves
}

func scalarsOf(t reflect.Type) []any {
	switch t.Kind() {
	case reflect.String:
		return words
	case reflect.Int32, reflect.Int64:
		return numbers
	case reflect.Bool:
		return []any{true, false}
	default:
		return nil
	}
}

func (d dice) leaf(one field) any {
	switch one.of.Kind() {
	case reflect.Slice:
		return d.someWords(d.IntN(3))
	case reflect.Map:
		m := mapping{}
		for _, word := range d.someWords(1 + d.IntN(2)) {
			m[word.(string)] = pick(d, words)
		}
		return m
	default:
		return pick(d, scalarsOf(one.of))
	}
}

func (d dice) someWords(count int) []any {
	list := make([]any, 0, count)
	for _, index := range d.Perm(len(words))[:count] {
		list = append(list, words[index])
	}
	return list
}

// A struct with something at the end of the path, and a few other fields.
func (d dice) object(t reflect.Type, path []field) mapping {
	m := mapping{}
	leaves := leafFields(t)
	most := 2
	if len(path) == 0 {
		most = 3
	}
	for range d.IntN(most) {
		if len(leaves) > 0 {
			one := pick(d, leaves)
			m[one.name] = d.leaf(one)
		}
	}
	if len(path) > 0 {
		m[path[0].name] = d.value(path[0], path[1:])
	}
	return m
}

func (d dice) value(one field, rest []field) any {
	switch one.of.Kind() {
	case reflect.Slice:
		if _, ok := structIn(one.of); ok {
			return d.items(one, rest)
		}
		list := d.someWords(d.IntN(4))
		if len(list) > 0 && d.chance(3) {
			list = append(list, list[0])
		}
		return list
	case reflect.Struct:
		return d.object(one.of, rest)
	default:
		return d.leaf(one)
	}
}

func (d dice) items(one field, rest []field) []any {
	list := []any{}
	for _, index := range d.Perm(len(words))[:1+d.IntN(3)] {
		if d.chance(3) && len(list) > 0 {
			index = 0
		}
		item := d.item(one, rest, index)
		if d.chance(1) {
			delete(item, one.key)
		}
		list = append(list, item)
	}
	return list
}

func (d dice) item(one field, rest []field, index int) mapping {
	t, _ := structIn(one.of)
	if d.chance(30) {
		rest = nil
	}
	item := d.object(t, rest)
	if one.key != "" {
		item[one.key] = keysOf(one)[index]
	}
	return item
}

// Values that the key of a list can have.
func keysOf(one field) []any {
	t, _ := structIn(one.of)
	for _, inner := range fieldsOf(t) {
		if inner.name == one.key {
			return scalarsOf(inner.of)
		}
	}
	return nil
}
