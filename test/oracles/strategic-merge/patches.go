package main

import (
	"reflect"
	"slices"
)

const (
	marker   = "$patch"
	retain   = "$retainKeys"
	order    = "$setElementOrder/"
	deletion = "$deleteFromPrimitiveList/"
)

// A patch for a struct that has the path, or had it before something was taken away.
func (d dice) patch(t reflect.Type, before mapping, path []field) mapping {
	switch {
	case d.chance(2):
		m := d.object(t, path)
		m[marker] = "replace"
		if d.chance(25) {
			d.sprinkleNulls(m, t)
		}
		return m
	case d.chance(1):
		return mapping{marker: "delete"}
	case d.chance(1):
		return mapping{marker: pick(d, []any{"merge", "zap", 1})}
	}
	return d.plainPatch(t, before, path)
}

func (d dice) plainPatch(t reflect.Type, before mapping, path []field) mapping {
	m := mapping{}
	if len(path) > 0 {
		d.patchField(m, path[0], before[path[0].name], path[1:])
	}
	leaves := leafFields(t)
	for range d.IntN(3) {
		if len(leaves) == 0 {
			break
		}
		one := pick(d, leaves)
		if m[one.name] = d.leaf(one); d.chance(25) {
			m[one.name] = nil
		}
	}
	for _, one := range leaves {
		if _, known := before[one.name]; !known || one.of.Kind() != reflect.Slice || !d.chance(40) {
			continue
		}
		delete(m, one.name)
		if m[deletion+one.name] = d.someWords(1 + d.IntN(2)); d.chance(20) {
			m[order+one.name] = d.someWords(2)
		}
	}
	if _, known := before["unknown"]; d.chance(2) || known && d.chance(20) {
		m["unknown"] = mapping{pick(d, words).(string): pick(d, numbers)}
	}
	percent := 4
	if len(path) == 0 {
		percent = 25
	}
	if d.chance(percent) {
		d.retainKeys(m, before)
	}
	return m
}

func (d dice) retainKeys(m mapping, before mapping) {
	keys := []any{}
	for _, key := range sortedKeys(m) {
		if key[0] != '$' && !d.chance(8) {
			keys = append(keys, key)
		}
	}
	for _, key := range sortedKeys(before) {
		if d.chance(50) && !slices.Contains(keys, any(key)) {
			keys = append(keys, key)
		}
	}
	m[retain] = keys
}

func (d dice) patchField(m mapping, one field, before any, rest []field) {
	if d.chance(3) {
		m[one.name] = nil
		return
	}
	if d.chance(1) {
		m[one.name] = pick(d, []any{"text", mapping{}, []any{}})
		return
	}
	_, holdsStruct := structIn(one.of)
	switch {
	case before == nil && !d.chance(15):
		m[one.name] = d.value(one, rest)
	case one.of.Kind() == reflect.Slice && one.merges() && holdsStruct:
		old, _ := before.([]any)
		d.patchItems(m, one, old, rest)
	case one.of.Kind() == reflect.Slice && one.merges():
		old, _ := before.([]any)
		d.patchWords(m, one.name, old)
	case one.of.Kind() == reflect.Struct:
		old, _ := before.(mapping)
		m[one.name] = d.patch(one.of, old, rest)
	default:
		value := d.value(one, rest)
		if list, ok := value.([]any); ok && holdsStruct && d.chance(6) {
			t, _ := structIn(one.of)
			d.sprinkleNulls(pick(d, list).(mapping), t)
		}
		m[one.name] = value
	}
}

// Items of a list with a key: some that are there, some that are not, some to delete.
func (d dice) patchItems(m mapping, one field, before []any, rest []field) {
	keys := keysOf(one)
	items := []any{}
	var set, seen []any
	for range d.IntN(4) {
		index := d.IntN(len(keys))
		old := find(before, one.key, keys[index])
		if old == nil && d.chance(40) && len(before) > 0 {
			old, _ = pick(d, before).(mapping)
			index = max(0, slices.Index(keys, old[one.key]))
		}
		key := keys[index]
		if slices.Contains(seen, key) && !d.chance(15) {
			continue
		}
		seen = append(seen, key)
		items = append(items, d.patchItem(one, rest, index, old))
		if last := items[len(items)-1].(mapping); last[marker] == nil && last[one.key] != nil {
			set = append(set, last[one.key])
		}
	}
	m[one.name] = items
	if !d.chance(25) {
		return
	}
	for _, item := range before {
		key := item.(mapping)[one.key]
		if key != nil && !slices.Contains(seen, key) && !slices.Contains(set, key) && d.chance(60) {
			set = slices.Insert(set, d.IntN(len(set)+1), key)
		}
	}
	wanted := []any{}
	for _, key := range d.upset(set) {
		wanted = append(wanted, mapping{one.key: key})
	}
	m[order+one.name] = wanted
	if d.chance(10) {
		delete(m, one.name)
	}
}

func (d dice) patchItem(one field, rest []field, index int, old mapping) mapping {
	t, _ := structIn(one.of)
	key := keysOf(one)[index]
	switch {
	case d.chance(14):
		return mapping{one.key: key, marker: "delete"}
	case d.chance(3):
		return mapping{marker: "replace"}
	case d.chance(1):
		return mapping{one.key: key, marker: "replace"}
	case d.chance(1):
		return mapping{one.key: key, marker: pick(d, []any{"merge", "zap"})}
	case old == nil:
		item := d.item(one, rest, index)
		if d.chance(6) {
			d.sprinkleNulls(item, t)
		}
		if d.chance(1) {
			d.retainKeys(item, mapping{})
		}
		if d.chance(2) {
			delete(item, one.key)
		}
		return item
	default:
		item := d.plainPatch(t, old, rest)
		if item[one.key] = key; d.chance(2) {
			delete(item, one.key)
		} else if keys, ok := item[retain].([]any); ok && !slices.Contains(keys, any(one.key)) {
			item[retain] = append(keys, one.key)
		}
		return item
	}
}

func find(list []any, key string, value any) mapping {
	for _, item := range list {
		if m := item.(mapping); m[key] == value {
			return m
		}
	}
	return nil
}

// Values of a list that has each once.
func (d dice) patchWords(m mapping, name string, before []any) {
	list := d.someWords(d.IntN(4))
	if len(list) > 0 && d.chance(4) {
		list = append(list, list[0])
	}
	m[name] = list
	if d.chance(30) {
		deleted := d.someWords(d.IntN(3))
		m[deletion+name] = slices.DeleteFunc(deleted, func(word any) bool { return slices.Contains(list, word) })
	}
	if d.chance(30) {
		wanted := slices.Clone(list)
		for _, word := range before {
			if !slices.Contains(wanted, word) && d.chance(60) {
				wanted = slices.Insert(wanted, d.IntN(len(wanted)+1), word)
			}
		}
		m[order+name] = d.upset(wanted)
	}
	if len(m) > 1 && d.chance(15) {
		delete(m, name)
	}
}

// Now and then an order that does not fit.
func (d dice) upset(list []any) []any {
	if len(list) == 0 || !d.chance(12) {
		return list
	}
	if d.chance(50) {
		return list[1:]
	}
	slices.Reverse(list)
	return list
}

func (d dice) sprinkleNulls(m mapping, t reflect.Type) {
	if leaves := leafFields(t); len(leaves) > 0 {
		if one := pick(d, leaves); m[one.name] == nil {
			m[one.name] = nil
		}
	}
}
